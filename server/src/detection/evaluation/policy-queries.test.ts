import { expect, test } from 'vitest';
import { DatasourceCatalogue } from '../../datasources/catalogue.ts';
import { Refusal } from '../../platform/errors.ts';
import { maxInlineLength, QueryLanguage } from '../../querying/language.ts';
import type { ParsedQuery } from '../../querying/read-query.ts';
import { datasets } from '../../telemetry/datasets.ts';
import { shippedPacks } from '../packs/pack.ts';
import { PolicyQueries } from './policy-queries.ts';

const language = new QueryLanguage(new DatasourceCatalogue({ datasets, packs: shippedPacks() }));
const long = (name: string) =>
  `{ source { CloudTrailRawEvents } filter { EVENT_NAME = '${name.repeat(maxInlineLength)}' } return { EVENT_TIME } }`;
const [slow, quick] = [long('a'), long('b')];
const nextTick = () => new Promise((resume) => setImmediate(resume));

test('parsing a long query of one account delays neither the plan nor other accounts', async () => {
  const readUserQuery = (account: string, text: string) =>
    account === 'SLOW' ? new Promise<ParsedQuery>(() => {}) : language.readUserQuery(account, text);
  const queries = new PolicyQueries({ read: (text) => language.read(text), readUserQuery });
  queries.prepare([
    ['SLOW', slow],
    ['QUICK', quick],
  ]);
  await nextTick();
  expect([queries.isPending(slow), queries.isPending(quick)]).toEqual([true, false]);
  expect([queries.takeChanged(), queries.takeChanged()]).toEqual([true, false]);
  expect(queries.read(quick).subject.streams).toEqual(['CloudTrailRawEvents']);
  expect(() => queries.read(slow)).toThrow('still being parsed');
});

test('a long query is retried when no parser thread was free', async () => {
  let isFull = true;
  const readUserQuery = async (account: string, text: string) => {
    if (isFull) throw new Refusal('UNAVAILABLE', 'Too many queries are waiting.');
    return language.readUserQuery(account, text);
  };
  const queries = new PolicyQueries({ read: (text) => language.read(text), readUserQuery });
  queries.prepare([
    ['A', slow],
    ['A', quick],
  ]);
  await nextTick();
  expect([queries.isPending(slow), queries.takeChanged()]).toEqual([true, false]);
  isFull = false;
  queries.resume();
  await nextTick();
  expect([queries.isPending(slow), queries.isPending(quick)]).toEqual([false, false]);
  expect(queries.takeChanged()).toBe(true);
});

test('a long query of a built-in policy is read with its scope', async () => {
  const returned = 'return distinct { ARN as RESOURCE_KEY }';
  const text = `{ source { LW_CFG_AWS_S3 } filter { RESOURCE_ID = '${'a'.repeat(maxInlineLength)}' } ${returned} }`;
  const scope = `{ source { LW_CFG_AWS_S3 } filter { RESOURCE_REGION = 'eu-west-1' } ${returned} }`;
  const queries = new PolicyQueries(language);
  expect(() => queries.read(text, scope)).toThrow('still being parsed');
  queries.prepare([['A', text]]);
  await expect.poll(() => queries.isPending(text)).toBe(false);
  const whole = queries.read(text).resources?.scope;
  expect(queries.read(text, scope).resources?.scope).not.toEqual(whole);
  expect(queries.read(text, scope)).toBe(queries.read(text, scope));
});
