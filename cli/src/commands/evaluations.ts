import type { EvaluationStatus } from '@vedette/server/operator/evaluations';
import type { Command } from '../command.ts';
import { operatorRequest, readJson } from '../operator-client.ts';
import { table } from '../table.ts';
import { shortened } from '../width.ts';

const maxTitleWidth = 50;

const evaluations: Command = {
  words: ['evaluations'],
  positionals: [],
  options: {
    account: { type: 'string', value: 'NAME', description: 'only policies of this account' },
    problems: { type: 'boolean', description: 'only policies whose last evaluation failed or is overdue' },
  },
  summary: 'Shows the last evaluation of each policy, its violations and its failures.',
  async run({ context, options: { account, problems } }) {
    const all = (await readJson(await operatorRequest(context, 'GET', '/evaluations'))) as EvaluationStatus[];
    const data = all.filter(
      (each) =>
        (account === undefined || each.account === account) &&
        (!problems || each.state === 'failing' || each.state === 'overdue'),
    );
    const rows = data.map((each) => ({
      account: each.account,
      policy: each.policyId,
      title: shortened(each.title, maxTitleWidth),
      state: each.state,
      'last evaluated': each.lastFinished?.slice(0, 19).replace('T', ' ') ?? 'never',
      violations: String(each.counts?.violations ?? ''),
      problem: each.problem?.split('\n')[0]?.slice(0, 100) ?? '',
    }));
    return {
      data,
      text: table(rows, problems ? 'No policies have problems.' : 'No policies are evaluated.'),
    };
  },
};

export const evaluationCommands = [evaluations];
