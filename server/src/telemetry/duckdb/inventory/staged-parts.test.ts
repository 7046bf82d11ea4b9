import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../../testing/clock.ts';
import type { SnapshotId } from '../../snapshot.ts';
import { hour, noon, SampleStore } from '../store.sample.ts';
import { stagedNumbers, stageParts } from './staged-parts.ts';

let sample: SampleStore;
beforeEach(async () => {
  sample = await SampleStore.open(new ManualClock(noon));
  await sample.inventory.attach();
});
afterEach(() => sample.close());

const idOf = (region: string, started = noon): SnapshotId => ({
  ...{ kind: 'LW_CFG_AWS_EC2_INSTANCES', cloudAccount: '123', region, started },
});
const partOf = (account: string, id: SnapshotId, number = 1, characters = 300) => ({
  ...{ account, id },
  part: {
    ...{ number, unread: [] },
    resources: [
      {
        key: 'a',
        facts: { URN: 'a' },
        config: JSON.stringify({ a: 'x'.repeat(characters) }),
        tags: undefined,
      },
    ],
  },
});
/** Space for two parts. */
const limit = 1_200;
const stage = (...parts: ReturnType<typeof partOf>[]) =>
  sample.engine.use(async (connection) => {
    await connection.run('begin');
    await stageParts(connection, parts, limit);
    await connection.run('commit');
  });
const numbers = (account: string, id: SnapshotId) =>
  sample.engine.use((connection) => stagedNumbers(connection, account, id));

test('an account that never finishes its snapshots is refused more of them, and others are not', async () => {
  await stage(partOf('A', idOf('1')), partOf('A', idOf('2')));
  await expect(stage(partOf('A', idOf('3')))).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringMatching(
      /^The account has more than \d+ MB of resources in snapshots that are not finished/,
    ),
  });
  await stage(partOf('B', idOf('3')));
  expect([await numbers('A', idOf('3')), await numbers('B', idOf('3'))]).toEqual([[], [1]]);
});

test('a part that is sent again takes no space, and neither does a snapshot that replaces another', async () => {
  await stage(partOf('A', idOf('1')), partOf('A', idOf('2')));
  await stage(partOf('A', idOf('1')));
  await stage(partOf('A', idOf('1', noon + 1)), partOf('A', idOf('2', noon + 1)));
  expect([await numbers('A', idOf('1')), await numbers('A', idOf('1', noon + 1))]).toEqual([[], [1]]);
});

test('abandoned parts make space for those of a later day', async () => {
  await stage(partOf('A', idOf('1')), partOf('A', idOf('2', noon + 2 * hour)));
  const later = noon + 25 * hour;
  await stage(partOf('A', idOf('3', later)));
  expect([await numbers('A', idOf('1')), await numbers('A', idOf('2', noon + 2 * hour))]).toEqual([[], [1]]);
});

test('parts of one transaction are compared with the versions of their own scopes', async () => {
  const parts = ['1', '2'].map((region) => partOf('A', idOf(region)));
  await Promise.all(parts.map(({ account, id, part }) => sample.inventory.stageResources(account, id, part)));
  const end = { ended: noon + 1, status: 'collected', reason: '', parts: 1 } as const;
  expect(await Promise.all(parts.map(({ id }) => sample.inventory.finishSnapshot('A', id, end)))).toEqual([
    { opened: 1, closed: 0 },
    { opened: 1, closed: 0 },
  ]);
  const later = [partOf('A', idOf('1', noon + hour)), partOf('A', idOf('2', noon + hour), 1, 301)];
  await Promise.all(later.map(({ account, id, part }) => sample.inventory.stageResources(account, id, part)));
  expect(await Promise.all(later.map(({ id }) => sample.inventory.finishSnapshot('A', id, end)))).toEqual([
    { opened: 0, closed: 0 },
    { opened: 1, closed: 1 },
  ]);
});

test('a part that is refused does not take others with it', async () => {
  const good = partOf('A', idOf('1'));
  const bad = partOf('A', idOf('2'));
  const broken = { ...bad.part, resources: bad.part.resources.map((one) => ({ ...one, config: '{' })) };
  const results = await Promise.allSettled(
    [partOf('A', idOf('0')), good, { ...bad, part: broken }].map(({ id, part }) =>
      sample.inventory.stageResources('A', id, part),
    ),
  );
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(await numbers('A', idOf('1'))).toEqual([1]);
});
