import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jsonArray, type ResultPage } from '../search/page.ts';
import { TestTelemetry } from '../testing/telemetry.ts';
import { dnss } from './datasets/DNSs.ts';

let fixture: TestTelemetry;
beforeEach(async () => {
  fixture = await TestTelemetry.start({ maxPageRows: 7 });
});
afterEach(() => fixture.stop());

const hour = 3_600_000;
const lookup = (id: string, instant: number, rest: object = {}) => ({
  ...{ createdTime: new Date(instant).toISOString(), mid: 1, fqdn: id, hostIpAddr: 'b', ttl: 1 },
  ...{ dnsServerIp: 'c', ...rest },
});
const searchQuery = (start: number, end: number) => ({
  range: { start, end },
  filters: [],
  returns: undefined,
});
const idsOf = (page: ResultPage): string[] =>
  JSON.parse(jsonArray(page)).map(({ fqdn }: { fqdn: string }) => fqdn);

describe('pages', () => {
  test('show each record of the first request once, despite concurrent writes, compaction and restarts', async () => {
    const { clock } = fixture;
    const start = clock.now() - 2 * hour;
    const expected: string[] = [];
    for (let batch = 0; batch < 3; batch++) {
      const ids = Array.from({ length: 20 }, (_, index) => `${batch}.${index}`);
      await fixture.take(
        dnss,
        'A',
        // Many share a timestamp, within a batch and across batches.
        ids.map((id, index) => lookup(id, start + (index % 4))),
      );
      expected.push(...ids);
      clock.advance(6 * hour);
    }
    let page = await fixture.telemetry.search(dnss, 'A', searchQuery(start - hour, start + hour));
    const seen = idsOf(page);
    for (let round = 0; page.next !== undefined; round++) {
      expect([page.rows, page.totalRows]).toEqual([7, 60]);
      await fixture.take(dnss, 'A', [lookup('late', start + (round % 4)), lookup('late', start - 1)]);
      await fixture.take(dnss, 'B', [lookup('foreign', start + (round % 4))]);
      if (round % 3 === 1) clock.advance(2 * hour);
      if (round % 4 === 2) await fixture.telemetry.compact();
      if (round % 2 === 1) await fixture.restart();
      page = await fixture.telemetry.nextPage(dnss, 'A', page.next);
      seen.push(...idsOf(page));
    }
    expect(seen.toSorted()).toEqual(expected.toSorted());
  });
});

describe('beyond the memory limit', () => {
  const limits = { memory: '40MB', threads: 2 };
  const large = 'x'.repeat(1_000_000);
  const records = (start: number) =>
    Array.from({ length: 40 }, (_, index) => lookup(`${index}`, start + index, { large }));

  test('a search is refused with a remedy, and a smaller one succeeds', async () => {
    const start = fixture.clock.now() - hour;
    await fixture.take(dnss, 'A', records(start));
    await fixture.restart({ limits, maxPageRows: 5_000 });
    const refusal = {
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/narrow the time range or the filters.*VEDETTE_TELEMETRY_MEMORY/),
    };
    for (let round = 0; round < 3; round++) {
      const all = fixture.telemetry.search(dnss, 'A', searchQuery(start, start + hour));
      await expect(all).rejects.toMatchObject(refusal);
      const one = await fixture.telemetry.search(dnss, 'A', searchQuery(start + round, start + round + 1));
      expect([idsOf(one), one.totalRows]).toEqual([[`${round}`], 1]);
    }
    expect(fixture.telemetry.searches).toEqual({ running: 0, waiting: 0, sending: 0 });
  });
  test('a batch is refused with a remedy, and a smaller one is stored', async () => {
    await fixture.restart({ limits });
    const start = fixture.clock.now() - hour;
    await expect(fixture.take(dnss, 'A', records(start))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('smaller batches'),
    });
    await fixture.take(dnss, 'A', [lookup('small', start)]);
    const page = await fixture.telemetry.search(dnss, 'A', searchQuery(start, start + hour));
    expect([idsOf(page), page.totalRows]).toEqual([['small'], 1]);
    expect(fixture.telemetry.intake.counts).toMatchObject({ stored: 1, refused: 40 });
  });
});
