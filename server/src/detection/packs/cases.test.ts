import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenedCasePlace, openCasePlace } from '../../testing/case-place.ts';
import { readCaseBook } from './case-book.ts';
import { TakenCase } from './case-runner.ts';
import { Pack, shippedPacks } from './pack.ts';

const book = await readCaseBook(shippedPacks(), await Pack.load(shippedPacks()));

describe('activity policies', () => {
  test.each(book)('$policy.folder has a case in which it fires and two in which it does not', ({ cases }) => {
    const silent = cases.filter(({ alerts }) => alerts === 'none');
    expect(silent.length).toBeGreaterThanOrEqual(2);
    expect(cases.length).toBeGreaterThan(silent.length);
  });
});

describe('cases of activity policies', () => {
  let place: OpenedCasePlace;
  beforeAll(async () => {
    place = await openCasePlace();
  });
  afterAll(() => place.close());

  test.each(book)('$policy.folder returns the expected violations', async ({ policy, query, cases }) => {
    const taken = await Promise.all(
      cases.map((one, index) => TakenCase.take(place, `${policy.number}-${index}`, one)),
    );
    for (const one of taken)
      expect([one.of.name, await one.complaint(query)]).toEqual([one.of.name, undefined]);
  });
});
