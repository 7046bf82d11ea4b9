import { expect, test } from 'vitest';
import { DatasourceCatalogue } from '../../datasources/catalogue.ts';
import { Refusal } from '../../platform/errors.ts';
import { maxInlineLength, QueryLanguage } from '../../querying/language.ts';
import type { ParsedQuery } from '../../querying/read-query.ts';
import { datasets } from '../../telemetry/datasets.ts';
import { Pack, shippedPacks } from '../packs/pack.ts';
import type { BuiltInQuery } from '../packs/query.ts';
import { PolicyQueries } from './policy-queries.ts';

const language = new QueryLanguage(new DatasourceCatalogue({ datasets, packs: shippedPacks() }));
const long = (name: string) =>
  `{ source { CloudTrailRawEvents } filter { EVENT_NAME = '${name.repeat(maxInlineLength)}' } return { EVENT_TIME } }`;
const [slow, quick] = [{ text: long('a') }, { text: long('b') }];
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

test('a long query of the server is evaluated over the resources of its scope', () => {
  const returned = 'return distinct { ACCOUNT_ID, ARN as RESOURCE_KEY, RESOURCE_REGION }';
  const name = 'a'.repeat(maxInlineLength);
  const text = `{ source { LW_CFG_AWS_S3 } filter { RESOURCE_ID = '${name}' } ${returned} }`;
  const scope = `{ source { LW_CFG_AWS_S3 } filter { RESOURCE_ID <> 'logs' } ${returned} }`;
  const queries = new PolicyQueries(language);
  const shipped = { text, scope, isShipped: true };
  expect([queries.isPending(shipped), queries.isPending({ text })]).toEqual([false, true]);
  expect(queries.read(shipped).resources?.scope).toContain('logs');
});

test('the shipped policies of type Compliance read the inventory alone, as the schedule assumes', async () => {
  const queries = new PolicyQueries(language);
  const pack = await Pack.load(shippedPacks());
  const others = pack.policies.filter(({ policyType, queryId }) => {
    if (policyType !== 'Compliance') return false;
    const { text, scope } = pack.query(queryId ?? '') as BuiltInQuery;
    return queries.read({ text, scope, isShipped: true }).resources === undefined;
  });
  expect(others).toEqual([]);
});
