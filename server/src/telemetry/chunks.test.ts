import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunks } from './chunks.ts';

const turn = () => new Promise((resume) => setImmediate(resume));

test('chunks arrive in order, whichever side is faster', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(5_000_000), { maxLength: 12 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
      async (sizes, slow) => {
        let maxWaiting = 0;
        let waiting = 0;
        const reading = chunks(async (put) => {
          for (const [at, size] of sizes.entries()) {
            if (slow[at % slow.length]) await turn();
            waiting += size;
            maxWaiting = Math.max(maxWaiting, waiting);
            await put(new Uint8Array(size));
          }
        });
        const seen: number[] = [];
        for await (const { length } of reading) {
          waiting -= length;
          seen.push(length);
          if (!slow[seen.length % slow.length]) await turn();
        }
        expect(seen).toEqual(sizes);
        // The buffer limit, and the chunk that exceeded it.
        expect(maxWaiting).toBeLessThanOrEqual(8 * 1024 * 1024 + 2 * 5_000_000);
      },
    ),
    { numRuns: 60 },
  );
});

test('a failure of the work ends the iteration with its error', async () => {
  const reading = chunks(async (put) => {
    await put(Buffer.from('a'));
    throw new Error('broken');
  });
  await expect(async () => {
    for await (const _ of reading);
  }).rejects.toThrow('broken');
});

test('the work starts with the first requested chunk, and the iteration waits for its end', async () => {
  const steps: string[] = [];
  const reading = chunks(async (put, abandoned) => {
    steps.push('begun');
    await put(Buffer.from('a'));
    await new Promise((resume) => abandoned.addEventListener('abort', resume));
    await turn();
    steps.push('ended');
  });
  await turn();
  expect(steps).toEqual([]);
  await reading.next();
  await reading.return(undefined);
  expect(steps).toEqual(['begun', 'ended']);
});
