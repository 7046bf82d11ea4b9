import { expect, test } from 'vitest';
import { createLog } from '../platform/log.ts';
import { Periodic } from './periodic.ts';

test('a repeated failure is logged once per reason, and again when the job succeeds', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const outcomes = [
    'unavailable',
    'unavailable',
    'unavailable',
    'broken',
    undefined,
    undefined,
    'unavailable',
    undefined,
  ];
  const job = new Periodic(
    'sample',
    3_600_000,
    async () => {
      const problem = outcomes.shift();
      if (problem) throw new Error(problem, { cause: new Error('why') });
    },
    log,
  );
  while (outcomes.length > 0) await job.run();
  await job.stop();
  expect(lines.map((line) => JSON.parse(line)).map(({ msg, error }) => error ?? msg)).toEqual([
    'Error: unavailable',
    'Error: broken',
    'a periodic job succeeds again',
    'Error: unavailable',
    'a periodic job succeeds again',
  ]);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ job: 'sample', cause: 'Error: why' });
});
