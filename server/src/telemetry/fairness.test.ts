import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TestTelemetry } from '../testing/telemetry.ts';
import { dnss } from './datasets/DNSs.ts';
import type { Lane } from './telemetry.ts';

let fixture: TestTelemetry;
beforeEach(async () => {
  fixture = await TestTelemetry.start({ searchSeconds: 600 });
});
afterEach(() => fixture.stop());

const hour = 3_600_000;
/** Runs longer than any test, like a self-join of many records. */
const endless = `select 'x' as "row" from range(1000000000) one, range(1000000000) other where hash(one.range, other.range) = 0`;
const searchQuery = (start: number) => ({
  range: { start, end: start + hour },
  filters: [],
  returns: undefined,
});

/** The running and queued queries of an account, until it aborts them. */
function greedy(account: string, lanes: readonly Lane[]) {
  const left = new AbortController();
  const ended: string[] = [];
  const reading = lanes.map(async (lane) => {
    const rows = fixture.telemetry.query(
      account,
      () => ({ sql: endless, parameters: [] }),
      left.signal,
      lane,
    );
    for await (const _ of rows) ended.push('a row');
  });
  const outcomes = Promise.allSettled(reading).then((all) => {
    ended.push('left');
    return all;
  });
  return {
    ended,
    leave: async () => {
      left.abort(new Error('left'));
      return (await outcomes).map(({ status }) => status);
    },
  };
}

describe('searches of one account', () => {
  const lanes: readonly Lane[] = [...Array(6).fill('users'), ...Array(6).fill('service')];

  test('and its policies never starve another account, however long they take', async () => {
    const start = fixture.clock.now() - hour;
    const fqdn = { createdTime: new Date(start).toISOString(), mid: 1, fqdn: 'own', hostIpAddr: 'b', ttl: 1 };
    await fixture.take(dnss, 'MODEST', [{ ...fqdn, dnsServerIp: 'c' }]);
    const { ended, leave } = greedy('GREEDY', lanes);
    for (let round = 0; round < 5; round++) {
      const page = await fixture.telemetry.search(dnss, 'MODEST', searchQuery(start));
      expect(page.rows).toBe(1);
    }
    for (const lane of ['users', 'service'] as const) {
      const sql = `select 'modest' as "row"`;
      const rows = fixture.telemetry.query('MODEST', () => ({ sql, parameters: [] }), undefined, lane);
      for await (const chunk of rows) expect(Buffer.from(chunk).toString()).toBe('modest');
    }
    // Concurrent batches are stored, too.
    await fixture.take(dnss, 'MODEST', [{ ...fqdn, dnsServerIp: 'd' }]);
    expect(ended).toEqual([]);
    expect(await leave()).toEqual(lanes.map(() => 'rejected'));
    expect(fixture.telemetry.searches).toEqual({ running: 0, waiting: 0, sending: 0 });
  });

  test('that wait for the engine free their slots at once when their clients disconnect', async () => {
    const { leave: leaveEarly } = greedy('GREEDY', ['users', 'users']);
    const { leave } = greedy('GREEDY', ['service', 'service', 'service']);
    await expect.poll(() => fixture.telemetry.searches.running).toBe(2);
    expect(await leave()).toEqual(['rejected', 'rejected', 'rejected']);
    expect(fixture.telemetry.searches.running).toBe(2);
    expect(await leaveEarly()).toEqual(['rejected', 'rejected']);
  });
});
