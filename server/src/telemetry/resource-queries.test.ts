import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jsonArray, type ResultPage } from '../search/page.ts';
import { TestTelemetry } from '../testing/telemetry.ts';
import { recordResources } from './snapshot.sample.ts';

const kind = 'LW_CFG_AWS_EC2_INSTANCES';
const noon = Date.parse('2026-03-01T12:00:00Z');

let place: TestTelemetry;
beforeEach(async () => {
  place = await TestTelemetry.start({ maxPageRows: 3 });
});
afterEach(() => place.stop());

const record = (keys: readonly string[], started: number, rest: { account?: string; region?: string } = {}) =>
  recordResources(place.telemetry, {
    ...{ account: 'A', kind, cloudAccount: '1', started, ended: started + 1, ...rest },
    resources: keys.map((key) => ({
      ...{ key, facts: { URN: key, RESOURCE_ID: key }, config: `{"key":"${key}"}`, tags: undefined },
    })),
  });
const query = { range: { start: 0, end: noon + 10_000 }, filters: [], returns: ['urn'], provider: 'aws' };
const urns = (page: ResultPage) => (JSON.parse(jsonArray(page)) as { urn: string }[]).map(({ urn }) => urn);

/** The pages of a search, until there is no next one. */
async function pages(onPage: () => Promise<unknown> = async () => undefined): Promise<string[][]> {
  const { resources } = place.telemetry;
  let page = await resources.search('A', query);
  const all = [urns(page)];
  while (page.next !== undefined) {
    await onPage();
    page = await resources.nextPage('A', page.next);
    all.push(urns(page));
  }
  return all;
}

describe('pages of resources', () => {
  test('have each resource once, newest collection first', async () => {
    const keys = fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { maxLength: 12 });
    let started = noon - 1_000_000;
    await fc.assert(
      fc.asyncProperty(keys, keys, async (first, second) => {
        started += 2;
        const named = (prefix: string, numbers: readonly number[]) => numbers.map((n) => `${prefix}${n}`);
        await record(named('a', first), started, { region: 'eu-west-1' });
        await record(named('b', second), started + 1, { region: 'us-east-1' });
        const found = await pages();
        expect(found.slice(0, -1).every((page) => page.length === 3)).toBe(true);
        expect(
          found
            .flat()
            .map((urn) => urn[0])
            .join(''),
        ).toMatch(/^b*a*$/);
        expect(found.flat().sort()).toEqual([...named('a', first), ...named('b', second)].sort());
      }),
      { numRuns: Number(process.env.VEDETTE_FUZZ ?? 15) },
    );
  });

  test('do not shift when a snapshot arrives in between', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    await record(keys, noon);
    let later = noon;
    const found = await pages(() => record(['x', 'y'], ++later));
    expect(found.flat().sort()).toEqual(keys);
    expect(await pages()).toEqual([expect.arrayContaining(['x', 'y'])]);
  });

  test('belong to an account', async () => {
    await record(['a', 'b', 'c', 'd'], noon);
    const { next = '' } = await place.telemetry.resources.search('A', query);
    expect(urns(await place.telemetry.resources.nextPage('A', next))).toHaveLength(1);
    await expect(place.telemetry.resources.nextPage('B', next)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
