import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FairShare } from './fair-share.ts';

describe('a fair share', () => {
  test('of slots leaves the reserve to accounts that hold nothing', () => {
    const slots = new FairShare({ capacity: 4, reserve: 1 });
    for (let slot = 0; slot < 3; slot++) slots.take('a');
    expect([slots.mayTake('a'), slots.mayTake('b')]).toEqual([false, true]);
    slots.take('b');
    expect(slots.mayTake('c')).toBe(false);
    slots.release('a');
    expect([slots.mayTake('a'), slots.mayTake('b'), slots.mayTake('c')]).toEqual([false, false, true]);
  });

  test('of bytes leaves as many bytes free as the account holds', () => {
    const bytes = new FairShare({ capacity: 64, reserve: 'its own' });
    bytes.take('a', 10);
    expect(bytes.roomFor('a')).toBe(22);
    bytes.take('a', 22);
    expect([bytes.roomFor('a'), bytes.roomFor('b')]).toEqual([0, 32]);
    bytes.take('b', 16);
    expect([bytes.roomFor('a'), bytes.roomFor('b'), bytes.roomFor('c')]).toEqual([0, 0, 16]);
  });

  test('grants to the account that holds least, then to the least recently granted one', () => {
    const slots = new FairShare({ capacity: 1, reserve: 0 });
    const grants: string[] = [];
    for (let grant = 0; grant < 6; grant++) {
      const account = slots.next(grant < 2 ? ['busy'] : ['busy', 'idle', 'other']) as string;
      grants.push(account);
      slots.take(account);
      slots.release(account);
    }
    expect(grants).toEqual(['busy', 'busy', 'idle', 'other', 'busy', 'idle']);
  });

  test('never exceeds its capacity, and serves an account that holds nothing within one grant per other account', () => {
    const reserve = fc.constantFrom(1, 'its own' as const);
    fc.assert(
      fc.property(
        reserve,
        fc.integer({ min: 2, max: 8 }),
        fc.integer({ min: 1, max: 5 }),
        (reserved, capacity, busyAccounts) => {
          const slots = new FairShare({ capacity, reserve: reserved });
          const others = Array.from({ length: busyAccounts }, (_, index) => `busy ${index}`);
          const running: string[] = [];
          const fill = (accounts: string[]) => {
            for (let next = slots.next(accounts); next; next = slots.next(accounts)) {
              slots.take(next);
              running.push(next);
            }
          };
          fill(others);
          expect(slots.used).toBeLessThanOrEqual(capacity);
          let grants = 0;
          for (; !running.includes('idle'); grants++) {
            fill([...others, 'idle']);
            if (!running.includes('idle')) slots.release(running.shift() as string);
          }
          // Other accounts that hold nothing may be served first.
          expect(grants).toBeLessThanOrEqual(busyAccounts + 1);
        },
      ),
    );
  });
});
