import { createInterface } from 'node:readline/promises';
import { UsageError } from './usage-error.ts';

/** Prompts on the terminal. Without a terminal, --yes is required. */
export async function confirm(loss: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new UsageError(`${loss} Add --yes to confirm.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const aborted = new AbortController();
  // Ctrl-C and Ctrl-D would otherwise never settle the question.
  terminal.once('SIGINT', () => aborted.abort()).once('close', () => aborted.abort());
  const answer = await terminal
    .question(`${loss} Continue? [y/N] `, { signal: aborted.signal })
    .catch(() => '')
    .finally(() => terminal.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('Nothing was changed.');
}
