import type { ShownEvaluation } from '@vedette/server/operator/evaluations';
import type { Command } from '../command.ts';
import { askServer, readJson } from '../operator.ts';
import { table } from '../table.ts';
import { shortened } from '../width.ts';

/** Columns of a terminal. */
const widestTitle = 50;

const evaluations: Command = {
  words: ['evaluations'],
  positionals: [],
  options: {
    account: { type: 'string', value: 'NAME', meaning: 'those of one account only' },
    problems: { type: 'boolean', meaning: 'only those that failed the last time or are overdue' },
  },
  summary: 'Shows when each policy was last evaluated, its violations and its failures.',
  async run({ desk, options: { account, problems } }) {
    const all = (await readJson(await askServer(desk, 'GET', '/evaluations'))) as ShownEvaluation[];
    const data = all.filter(
      (each) =>
        (account === undefined || each.account === account) &&
        (!problems || each.state === 'failing' || each.state === 'overdue'),
    );
    const rows = data.map((each) => ({
      account: each.account,
      policy: each.policyId,
      title: shortened(each.title, widestTitle),
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
