import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HourMemory } from './hour-memory.ts';

const users = 'Entities/Users';
const machines = 'Entities/Machines';
const user = (uid: number, shell = '/bin/sh') => ({ uid, username: `u${uid}`, shell });

function report(
  memory: HourMemory,
  hour: number,
  path: Parameters<HourMemory['unreported']>[1],
  some: object[],
) {
  const unreported = memory.unreported(hour, path, some as never);
  memory.remember(hour, path, Buffer.concat(unreported.map(({ digest }) => digest)));
  return unreported.map(({ record }) => record);
}

test('within an hour only what is new or has changed is reported', () => {
  const memory = new HourMemory();
  expect(report(memory, 1, users, [user(1), user(2)])).toEqual([user(1), user(2)]);
  expect(report(memory, 1, users, [user(1), user(2)])).toEqual([]);
  expect(report(memory, 1, users, [user(1, '/bin/zsh'), user(2), user(3)])).toEqual([
    user(1, '/bin/zsh'),
    user(3),
  ]);
  expect(report(memory, 1, users, [user(1), user(2), user(3)])).toEqual([user(1)]);
});

test('everything is reported again in the next hour', () => {
  const memory = new HourMemory();
  report(memory, 1, users, [user(1)]);
  expect(report(memory, 2, users, [user(1)])).toEqual([user(1)]);
  expect(report(memory, 2, users, [user(1)])).toEqual([]);
});

test('an entity has one record in an hour even if its content changes', () => {
  const memory = new HourMemory();
  expect(report(memory, 1, machines, [{ hostname: 'a' }])).toHaveLength(1);
  expect(report(memory, 1, machines, [{ hostname: 'b' }])).toEqual([]);
});

test('events are always reported', () => {
  const memory = new HourMemory();
  const login = { username: 'ann', activityType: 'LOGIN', activityTime: '2026-01-01T00:00:00.000Z' };
  expect(report(memory, 1, 'Activities/UserLogins', [login])).toEqual([login]);
  expect(report(memory, 1, 'Activities/UserLogins', [login])).toEqual([login]);
});

test('what was not stored is reported again', () => {
  const memory = new HourMemory();
  memory.unreported(1, users, [user(1)]);
  expect(report(memory, 1, users, [user(1)])).toEqual([user(1)]);
});

test('a memory that is restored from stored digests selects the same', () => {
  const some = fc.array(fc.tuple(fc.nat(5), fc.constantFrom('/bin/sh', '/bin/zsh')), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(1, 1, 2), some), { maxLength: 6 }), some, (past, last) => {
      const [memory, restored] = [new HourMemory(), new HourMemory()];
      for (const [hour, given] of past) {
        const unreported = memory.unreported(
          hour,
          users,
          given.map(([uid, shell]) => user(uid, shell)),
        );
        const digests = Buffer.concat(unreported.map(({ digest }) => digest));
        memory.remember(hour, users, digests);
        restored.remember(hour, users, Buffer.from(digests));
      }
      const records = last.map(([uid, shell]) => user(uid, shell));
      expect(restored.unreported(2, users, records)).toEqual(memory.unreported(2, users, records));
    }),
  );
});
