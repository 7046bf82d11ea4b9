import { readFileSync } from 'node:fs';
import type { Cloud } from '@vedette/server/collect/inventory/cloud';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type ParsedCommand, parseCommandLine } from '../arguments.ts';
import { selectPolicies } from '../checking/policy-selection.ts';
import { checkCommands } from './check.ts';
import { collectCommands } from './collect.ts';
import { reportCommands } from './report.ts';

const page = readFileSync(new URL('../../../docs/checks-in-pipelines.md', import.meta.url), 'utf8');
const blocksOf = (info: string) =>
  [...page.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)]
    .filter((block) => block[1] === info)
    .map((block) => block[2]);
const commands = [...checkCommands, ...collectCommands, ...reportCommands];

/** The words of a command; quoted ones may have spaces. */
const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

test('the documented commands have the options and policies that they are shown with', async () => {
  const workflow = parse(blocksOf('yaml workflow').join('')) as {
    jobs: { aws: { steps: { run?: string }[] } };
  };
  const runs = workflow.jobs.aws.steps.flatMap(({ run }) => run ?? []);
  const lines = [...runs, ...blocksOf('sh elsewhere').flatMap((block) => block?.trim().split('\n') ?? [])];
  expect(lines.length).toBeGreaterThan(8);
  for (const line of lines) {
    const words = wordsOf(line.replace(/^(npx )?vedette /, ''));
    const { command, options, lists } = parseCommandLine(commands, words) as ParsedCommand;
    if (command.words[0] !== 'check') continue;
    const { framework } = options as { framework?: string };
    const request = { cloud: command.words[1] as Cloud, names: lists.policy ?? [], framework };
    expect((await selectPolicies(request)).policies).not.toEqual([]);
  }
});
