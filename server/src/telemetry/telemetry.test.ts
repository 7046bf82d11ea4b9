import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jsonArray, type ResultPage } from '../search/page.ts';
import { TestTelemetry } from '../testing/telemetry.ts';
import { dnss } from './datasets/DNSs.ts';

let place: TestTelemetry;
beforeEach(async () => {
  place = await TestTelemetry.start({ maxPageRows: 7 });
});
afterEach(() => place.stop());

const hour = 3_600_000;
const look = (id: string, instant: number, rest: object = {}) => ({
  ...{ createdTime: new Date(instant).toISOString(), mid: 1, fqdn: id, hostIpAddr: 'b', ttl: 1 },
  ...{ dnsServerIp: 'c', ...rest },
});
const question = (start: number, end: number) => ({ range: { start, end }, filters: [], returns: undefined });
const idsOf = (page: ResultPage): string[] =>
  JSON.parse(jsonArray(page)).map(({ fqdn }: { fqdn: string }) => fqdn);

describe('pages', () => {
  test('show each record of the first request once, despite concurrent writes, compaction and restarts', async () => {
    const { clock } = place;
    const start = clock.now() - 2 * hour;
    const expected: string[] = [];
    for (let batch = 0; batch < 3; batch++) {
      const ids = Array.from({ length: 20 }, (_, index) => `${batch}.${index}`);
      await place.take(
        dnss,
        'A',
        // Many share a timestamp, within a batch and across batches.
        ids.map((id, index) => look(id, start + (index % 4))),
      );
      expected.push(...ids);
      clock.advance(6 * hour);
    }
    let page = await place.telemetry.search(dnss, 'A', question(start - hour, start + hour));
    const seen = idsOf(page);
    for (let turn = 0; page.next !== undefined; turn++) {
      expect([page.rows, page.totalRows]).toEqual([7, 60]);
      await place.take(dnss, 'A', [look('late', start + (turn % 4)), look('late', start - 1)]);
      await place.take(dnss, 'B', [look('foreign', start + (turn % 4))]);
      if (turn % 3 === 1) clock.advance(2 * hour);
      if (turn % 4 === 2) await place.telemetry.compact();
      if (turn % 2 === 1) await place.restart();
      page = await place.telemetry.nextPage(dnss, 'A', page.next);
      seen.push(...idsOf(page));
    }
    expect(seen.toSorted()).toEqual(expected.toSorted());
  });
});

describe('beyond the memory limit', () => {
  const limits = { memory: '40MB', threads: 2 };
  const large = 'x'.repeat(1_000_000);
  const records = (start: number) =>
    Array.from({ length: 40 }, (_, index) => look(`${index}`, start + index, { large }));

  test('a search is refused with a remedy, and a smaller one succeeds', async () => {
    const start = place.clock.now() - hour;
    await place.take(dnss, 'A', records(start));
    await place.restart({ limits, maxPageRows: 5_000 });
    const refusal = {
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/narrow the time range or the filters.*VEDETTE_TELEMETRY_MEMORY/),
    };
    for (let round = 0; round < 3; round++) {
      const all = place.telemetry.search(dnss, 'A', question(start, start + hour));
      await expect(all).rejects.toMatchObject(refusal);
      const one = await place.telemetry.search(dnss, 'A', question(start + round, start + round + 1));
      expect([idsOf(one), one.totalRows]).toEqual([[`${round}`], 1]);
    }
    expect(place.telemetry.searches).toEqual({ running: 0, waiting: 0, sending: 0 });
  });
  test('a batch is refused with a remedy, and a smaller one is stored', async () => {
    await place.restart({ limits });
    const start = place.clock.now() - hour;
    await expect(place.take(dnss, 'A', records(start))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('smaller batches'),
    });
    await place.take(dnss, 'A', [look('small', start)]);
    const page = await place.telemetry.search(dnss, 'A', question(start, start + hour));
    expect([idsOf(page), page.totalRows]).toEqual([['small'], 1]);
    expect(place.telemetry.intake.counts).toMatchObject({ stored: 1, refused: 40 });
  });
});
