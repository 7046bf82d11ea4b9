import { createInterface } from 'node:readline/promises';
import { UsageError } from './usage-error.ts';

/** Asks on the terminal whether to go on. Where nobody can answer, the command has to be given --yes. */
export async function confirm(loss: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new UsageError(`${loss} Add --yes to confirm.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const left = new AbortController();
  // Ctrl-C and Ctrl-D would leave the question open for ever.
  terminal.once('SIGINT', () => left.abort()).once('close', () => left.abort());
  const answer = await terminal
    .question(`${loss} Continue? [y/N] `, { signal: left.signal })
    .catch(() => '')
    .finally(() => terminal.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('Nothing was changed.');
}
