import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../platform/errors.ts';
import { filtersOn } from '../search/filter.sample.ts';
import { jsonArray, type ResultPage, type SearchQuery } from '../search/page.ts';
import { TestTelemetry } from '../testing/telemetry.ts';
import type { Member, TelemetryDataset } from './dataset.ts';
import { agentInfo } from './datasets/AgentInfo.ts';
import { cloudActivities } from './datasets/CloudActivities.ts';
import { connections } from './datasets/Connections.ts';
import { dnss } from './datasets/DNSs.ts';
import { machines } from './datasets/Machines.ts';
import { processes } from './datasets/Processes.ts';

const datasets = [agentInfo, cloudActivities, connections, dnss, machines, processes];
const accounts = ['A', 'B'] as const;
type Account = (typeof accounts)[number];
const other = (account: Account): Account => (account === 'A' ? 'B' : 'A');

let fixture: TestTelemetry;
const start = Date.parse('2026-03-01T08:00:00.000Z');
const hour = 3_600_000;
const instants = Array.from({ length: 8 }, (_, index) => new Date(start + index * 1_000).toISOString());
const strings = ['', 'a', 'A', 'ab', 'b', 'TCP', '1', 'true'];
const numbers = [0, 1, 2, 3, 4, 5, 6];

/** Few values, so that the accounts share many and filters match both. */
function anyOf({ type, values, inner = {} }: Member): fc.Arbitrary<unknown> {
  if (values) return fc.constantFrom(...values);
  if (type === 'string') return fc.constantFrom(...strings);
  if (type === 'time') return fc.constantFrom(...instants);
  if (type === 'boolean') return fc.boolean();
  if (type !== 'json') return fc.constantFrom(...numbers);
  const below = Object.entries(inner).filter(([path]) => /^\w+$/.test(path));
  return fc.record(Object.fromEntries(below.map(([name, member]) => [name, anyOf(member as Member)])), {
    requiredKeys: [],
  });
}
function recordOf({ members }: TelemetryDataset): fc.Arbitrary<object> {
  const values = Object.entries(members).map(([name, member]) => [name, anyOf(member)] as const);
  const requiredKeys = Object.keys(members).filter((name) => !members[name]?.optional);
  return fc.record<Record<string, unknown>>(Object.fromEntries(values), { requiredKeys });
}

/**
 * Alternating batches of both accounts, some in one commit, all in the files of two days. Each record names its
 * account.
 */
beforeAll(async () => {
  fixture = await TestTelemetry.start({ maxPageRows: 4 });
  for (const day of [0, 1]) {
    for (const [seed, dataset] of datasets.entries()) {
      const records = fc.sample(recordOf(dataset), { numRuns: 30, seed });
      for (let from = 0; from < records.length; from += 6) {
        const batch = records.slice(from, from + 6);
        const mark = (whose: Account) =>
          batch.map((record, index) => ({
            ...record,
            whose,
            [`only${whose}`]: 1,
            id: `${day}.${from + index}`,
          }));
        await Promise.all(accounts.map((account) => fixture.take(dataset, account, mark(account))));
      }
    }
    fixture.clock.advance(24 * hour);
  }
  await fixture.telemetry.compact();
});
afterAll(() => fixture.stop());

const values = fc.constantFrom(...strings, ...instants, ...numbers, ...accounts, '%', '_', '.*', 'a|A|B');

/** Possible searches of a client; most find records. */
async function searchesOn(dataset: TelemetryDataset): Promise<fc.Arbitrary<SearchQuery>> {
  const known = await fixture.telemetry.fieldsFor(dataset, 'A');
  const inner = Object.entries(dataset.members).flatMap(([name, { inner = {} }]) =>
    Object.keys(inner).map((path) => `${name}.${path}`),
  );
  const names = fc.constantFrom(...Object.keys(known.columns), ...inner, 'whose', 'whose');
  return fc.record({
    range: fc
      .tuple(fc.integer({ min: -2, max: 6 }), fc.integer({ min: 1, max: 10 }))
      .map(([from, length]) => ({ start: start + from * 1_000, end: start + (from + length) * 1_000 })),
    filters: fc.array(
      filtersOn(known, names, () => values),
      { maxLength: 2 },
    ),
    returns: fc.constantFrom(undefined, ['whose', 'id']),
  });
}

/** Possible manipulations of a page cursor. */
const changes: Readonly<Record<string, (cursor: string, at: number) => string>> = {
  'another character': (cursor, at) => {
    // The last character contains unused bits.
    const index = at % (cursor.length - 1);
    return cursor.slice(0, index) + (cursor[index] === 'x' ? 'y' : 'x') + cursor.slice(index + 1);
  },
  'truncated at the end': (cursor, at) => cursor.slice(0, at % cursor.length),
  'truncated at the start': (cursor, at) => cursor.slice(1 + (at % cursor.length)),
  'a substring removed': (cursor, at) => {
    const index = at % (cursor.length - 8);
    return cursor.slice(0, index) + cursor.slice(index + 4);
  },
  'a substring repeated': (cursor, at) => cursor.slice(0, 40 + (at % 40)) + cursor.slice(30),
};

async function refusalOf(searching: Promise<ResultPage>): Promise<string> {
  const outcome = await searching.catch((error: unknown) => error);
  if (!(outcome instanceof Refusal)) throw new Error(`not refused: ${JSON.stringify(outcome)}`);
  return `${outcome.code}: ${outcome.message}`;
}

const counts = { A: { pages: 0, rows: 0 }, B: { pages: 0, rows: 0 } };

async function readPages(dataset: TelemetryDataset, account: Account, searchQuery: SearchQuery, at: number) {
  const seen: { whose: string; id: string }[] = [];
  let page = await fixture.telemetry.search(dataset, account, searchQuery);
  const { totalRows } = page;
  for (;;) {
    const rows = JSON.parse(jsonArray(page));
    expect(rows).toHaveLength(page.rows);
    seen.push(...rows);
    counts[account].pages++;
    counts[account].rows += page.rows;
    if (page.next === undefined) break;
    await expectConfined(dataset, account, page.next, at);
    page = await fixture.telemetry.nextPage(dataset, account, page.next);
  }
  return { seen, totalRows };
}

/** A page cursor can not be used by another account, for another dataset, or modified. */
async function expectConfined(dataset: TelemetryDataset, account: Account, cursor: string, at: number) {
  const { telemetry } = fixture;
  const otherDataset =
    datasets[(datasets.indexOf(dataset) + 1 + (at % (datasets.length - 1))) % datasets.length];
  expect(await refusalOf(telemetry.nextPage(dataset, other(account), cursor))).toBe(
    'NOT_FOUND: Not found: page cursor of another search. Run the search again.',
  );
  expect(await refusalOf(telemetry.nextPage(otherDataset as TelemetryDataset, account, cursor))).toBe(
    'NOT_FOUND: Not found: page cursor of another search. Run the search again.',
  );
  for (const [name, change] of Object.entries(changes)) {
    const changed = change(cursor, at);
    for (const caller of accounts) {
      const refusal = await refusalOf(telemetry.nextPage(dataset, caller, changed));
      expect([name, refusal]).toEqual([name, expect.stringMatching(/^INVALID_INPUT: .*search again\.$/)]);
    }
  }
}

describe('two accounts in the same files', () => {
  test.each(datasets.map((dataset) => [dataset.path, dataset] as const))(
    'never see records of the other in %s, with any search and any page',
    async (_, dataset) => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...accounts),
          await searchesOn(dataset),
          fc.nat({ max: 10_000 }),
          async (account, searchQuery, at) => {
            // Member names are private to an account, too.
            const readsForeignMember = searchQuery.filters.some(
              ({ field }) => field === `only${other(account)}`,
            );
            if (readsForeignMember) {
              const refusal = await refusalOf(fixture.telemetry.search(dataset, account, searchQuery));
              expect(refusal).toMatch(/^INVALID_FIELD: /);
              return;
            }
            const { seen, totalRows } = await readPages(dataset, account, searchQuery, at);
            expect(seen.filter(({ whose }) => whose !== account)).toEqual([]);
            expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
            expect(totalRows).toBe(seen.length);
          },
        ),
        { numRuns: 30 },
      );
      const everything = {
        range: { start: start - hour, end: start + hour },
        filters: [],
        returns: undefined,
      };
      for (const account of accounts) {
        const names = Object.keys((await fixture.telemetry.fieldsFor(dataset, account)).columns);
        expect(names.filter((name) => name.startsWith('only'))).toEqual([`only${account}`]);
        const { seen } = await readPages(dataset, account, everything, 0);
        expect(seen).toHaveLength(dataset.search?.newestPer ? numbers.length : 60);
      }
    },
  );

  test('both had pages with records', () => {
    for (const { pages, rows } of Object.values(counts)) expect(rows).toBeGreaterThan(2 * pages);
  });
});
