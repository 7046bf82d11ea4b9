import { expect, test } from 'vitest';
import { ManualClock } from '../../testing/clock.ts';
import { Collection } from './collection.ts';
import { MemorySink } from './memory-sink.sample.ts';
import type { ScopeResult } from './snapshot-writer.ts';

test('a reading may have a timeout of its own', async () => {
  const sink = new MemorySink();
  const collection = new Collection({
    cloudAccount: 'a',
    sink,
    clock: new ManualClock(),
    timeout: 3_600_000,
  });
  const reading = {
    ...{ id: 'slow', service: 'Slow', region: 'global', kinds: ['LW_CFG_AZURE_USER'], timeout: 30 },
    read: (_: unknown, signal: AbortSignal) =>
      new Promise<void>((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      ),
  };
  const results: ScopeResult[] = [];
  await collection.run([reading], new AbortController().signal, (_, ended) => void results.push(...ended));
  expect(results).toMatchObject([
    { status: 'failed', reason: expect.stringContaining('slow was not complete') },
  ]);
});
