import { expect, test } from 'vitest';
import { Slots } from './slots.ts';

test('lets so many run at once, the others in the order in which they came, also after a failure', async () => {
  const slots = new Slots(2);
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const runs = [0, 1, 2, 3].map((id) =>
    slots.run(async () => {
      started.push(id);
      await new Promise<void>((end) => ends.push(end));
      if (id === 0) throw new Error('failed');
      return id;
    }),
  );
  const results = Promise.allSettled(runs);
  expect(started).toEqual([0, 1]);
  ends[0]?.();
  await runs[0]?.catch(() => undefined);
  await Promise.resolve();
  expect(started).toEqual([0, 1, 2]);
  for (let turn = 0; turn < 10; turn++) {
    for (const end of ends) end();
    await new Promise((resume) => setImmediate(resume));
  }
  expect((await results).map(({ status }) => status)).toEqual([
    'rejected',
    ...['fulfilled', 'fulfilled', 'fulfilled'],
  ]);
  expect(started).toEqual([0, 1, 2, 3]);
});
