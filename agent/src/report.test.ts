import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HourMemory } from './journal/hour-memory.ts';
import { entriesOf } from './report.ts';

const at = Date.parse('2026-01-01T10:20:30.400Z');
const context = () => ({ source: 'users', mid: 7, at, memory: new HourMemory() });
const linesOf = (entries: ReturnType<typeof entriesOf>) =>
  entries.flatMap(({ batches }) =>
    batches.flatMap(({ body }) => body.split('\n').map((line) => JSON.parse(line))),
  );

test.each([
  [
    'Entities/InternalIPAddresses',
    { startTime: '2026-01-01T10:00:00.000Z', endTime: '2026-01-01T11:00:00.000Z', mid: 7 },
  ],
  ['Entities/Users', { createdTime: '2026-01-01T10:20:30.400Z', mid: 7 }],
  ['Activities/DNSs', { createdTime: '2026-01-01T10:20:30.400Z', mid: 7 }],
  ['Activities/Connections', {}],
  ['Entities/NewFileHashes', { startTime: '2026-01-01T10:00:00.000Z', endTime: '2026-01-01T11:00:00.000Z' }],
] as const)('records of %s are stamped', (path, stamps) => {
  const [line] = linesOf(entriesOf({ records: { [path]: [{ own: 1 }] }, gaps: [] }, context()));
  expect(line).toEqual({ own: 1, ...stamps });
});

test('an event may have a time of its own', () => {
  const createdTime = '2026-01-01T01:02:03.000Z';
  const records = { LW_HA_SYSCALLS_EXEC: [{ pid: 1, exePath: '/bin/true', createdTime }] };
  expect(linesOf(entriesOf({ records, gaps: [] }, context()))).toMatchObject([{ createdTime }]);
});

test('a cursor is stored with the last records, and alone if there are none', () => {
  const user = { uid: 1 };
  const both = entriesOf(
    { records: { 'Entities/Users': [user], 'Entities/Machines': [{}] }, gaps: [], cursor: 9 },
    context(),
  );
  expect(both.map(({ cursor }) => cursor)).toEqual([undefined, 9]);
  expect(entriesOf({ records: {}, gaps: [], cursor: 9 }, context())).toMatchObject([
    { cursor: 9, batches: [] },
  ]);
  expect(entriesOf({ records: {}, gaps: [] }, context())).toEqual([]);
});

test('many records are divided into batches and entries, of which none is lost or repeated', () => {
  fc.assert(
    fc.property(fc.nat(12_000), fc.integer({ min: 1, max: 4_000 }), (count, size) => {
      const records = Array.from({ length: Math.min(count, 12_000_000 / size) }, (_, uid) => ({
        uid,
        text: 'x'.repeat(size),
      }));
      const entries = entriesOf({ records: { 'Entities/Users': records }, gaps: [] }, context());
      expect(linesOf(entries).map(({ uid }) => uid)).toEqual(records.map(({ uid }) => uid));
      for (const { batches, digests } of entries) {
        expect(batches.length).toBeLessThanOrEqual(8);
        expect(digests.get('Entities/Users')?.length).toBe(linesOf([{ batches } as never]).length * 16);
        for (const { body } of batches) expect(body.length).toBeLessThanOrEqual(1_048_576 + 5_000);
      }
    }),
    { numRuns: 5 },
  );
});
