import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../testing/clock.ts';
import { AddressLimiter } from './address-limiter.ts';

describe('rate limits by address', () => {
  test('are separate for each IPv4 address or IPv6 network, and for each functionality', () => {
    const limiter = new AddressLimiter(new ManualClock());
    const allowed = (functionality: string, address: string) =>
      limiter.take(functionality, address, 1).allowed;
    expect([allowed('GET /a', '192.0.2.1'), allowed('GET /a', '::ffff:192.0.2.1')]).toEqual([true, false]);
    expect([allowed('GET /b', '192.0.2.1'), allowed('GET /a', '192.0.2.2')]).toEqual([true, true]);
    expect([allowed('GET /a', '2001:db8::1'), allowed('GET /a', '2001:db8::2')]).toEqual([true, false]);
  });

  test('are limited in number: the least recently used address is evicted', () => {
    const limiter = new AddressLimiter(new ManualClock(), 3);
    const remaining = (address: string) => limiter.take('GET /a', address, 10).remaining;
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.1', '192.0.2.4'])
      remaining(address);
    expect(remaining('192.0.2.1')).toBe(7);
    expect(remaining('192.0.2.2')).toBe(9);
  });

  test('allow a monitor ten requests per second indefinitely, and reject continuous requests', () => {
    const clock = new ManualClock();
    const limiter = new AddressLimiter(clock);
    for (let count = 0; count < 10_000; count++) {
      expect(limiter.takeAsMonitor('192.0.2.1')).toBe(true);
      clock.advance(100);
    }
    let allowed = 0;
    while (limiter.takeAsMonitor('192.0.2.1')) allowed++;
    expect(allowed).toBeLessThanOrEqual(1_200);
    expect(limiter.takeAsMonitor('192.0.2.2')).toBe(true);
    clock.advance(100);
    expect(limiter.takeAsMonitor('192.0.2.1')).toBe(true);
    expect(limiter.takeAsMonitor('192.0.2.1')).toBe(false);
  });
});
