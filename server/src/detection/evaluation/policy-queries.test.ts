import { expect, test } from 'vitest';
import { DatasourceCatalogue } from '../../datasources/catalogue.ts';
import { Refusal } from '../../platform/errors.ts';
import { maxInlineLength, QueryLanguage } from '../../querying/language.ts';
import type { ReadQuery } from '../../querying/read-query.ts';
import { datasets } from '../../telemetry/datasets.ts';
import { shippedPacks } from '../packs/pack.ts';
import { PolicyQueries } from './policy-queries.ts';

const language = new QueryLanguage(new DatasourceCatalogue({ datasets, packs: shippedPacks() }));
const long = (name: string) =>
  `{ source { CloudTrailRawEvents } filter { EVENT_NAME = '${name.repeat(maxInlineLength)}' } return { EVENT_TIME } }`;
const [slow, quick] = [long('a'), long('b')];
const turn = () => new Promise((resume) => setImmediate(resume));

test('parsing a long query of one account delays neither the plan nor other accounts', async () => {
  const readUserQuery = (account: string, text: string) =>
    account === 'SLOW' ? new Promise<ReadQuery>(() => {}) : language.readUserQuery(account, text);
  const questions = new PolicyQueries({ read: (text) => language.read(text), readUserQuery });
  questions.prepare([
    ['SLOW', slow],
    ['QUICK', quick],
  ]);
  await turn();
  expect([questions.isPending(slow), questions.isPending(quick)]).toEqual([true, false]);
  expect([questions.takeChanged(), questions.takeChanged()]).toEqual([true, false]);
  expect(questions.read(quick).subject.streams).toEqual(['CloudTrailRawEvents']);
  expect(() => questions.read(slow)).toThrow('still being read');
});

test('a long query is retried when no parser thread was free', async () => {
  let isFull = true;
  const readUserQuery = async (account: string, text: string) => {
    if (isFull) throw new Refusal('UNAVAILABLE', 'Too many queries are waiting.');
    return language.readUserQuery(account, text);
  };
  const questions = new PolicyQueries({ read: (text) => language.read(text), readUserQuery });
  questions.prepare([
    ['A', slow],
    ['A', quick],
  ]);
  await turn();
  expect([questions.isPending(slow), questions.takeChanged()]).toEqual([true, false]);
  isFull = false;
  questions.resume();
  await turn();
  expect([questions.isPending(slow), questions.isPending(quick)]).toEqual([false, false]);
  expect(questions.takeChanged()).toBe(true);
});
