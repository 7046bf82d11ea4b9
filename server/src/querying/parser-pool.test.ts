import { corpus } from '@vedette/lql/syntax/corpus.sample';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DatasourceCatalogue } from '../datasources/catalogue.ts';
import { shippedPacks } from '../detection/packs/pack.ts';
import { datasets } from '../telemetry/datasets.ts';
import { QueryLanguage } from './language.ts';
import { parserPool } from './parser-pool.ts';

const catalogue = new DatasourceCatalogue({ datasets, packs: shippedPacks() });
const inPlace = new QueryLanguage(catalogue);
let pool: ReturnType<typeof parserPool>;
let language: QueryLanguage;
beforeAll(() => {
  pool = parserPool({ packs: shippedPacks(), seconds: 60 });
  language = new QueryLanguage(catalogue, pool);
});
afterAll(() => pool.close());

/** The same query, too long to be parsed in place. */
const long = (text: string) => `${text}${' '.repeat(4_001)}`;

const outcome = (read: () => unknown) =>
  Promise.resolve()
    .then(read)
    .catch(({ code, message }) => ({ code, message }));

describe('a long query', () => {
  test('is parsed in a thread, without blocking the event loop', async () => {
    const conditions = Array.from({ length: 2_500 }, (_, index) => `EVENT_NAME = 'name.${index}'`);
    const text = `{ source { CloudTrailRawEvents } filter { ${conditions.join(' or ')} } return { EVENT_NAME } }`;
    let isParsed = false;
    const pending = language.readUserQuery('a', text).then((read) => {
      isParsed = true;
      return read;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([isParsed, pool.running]).toEqual([false, 1]);
    expect((await pending).query.columns).toEqual(inPlace.read(text).query.columns);
  });

  test.each(corpus)('$id is parsed as in place, with the datasources of the catalogue', async ({ text }) => {
    const [expected, read] = await Promise.all([
      outcome(() => inPlace.read(long(text))),
      outcome(() => language.readUserQuery('a', long(text))),
    ]);
    expect(read).toEqual(expected);
  });

  test('has complete datasources, also in subqueries', async () => {
    const inner = '{ source { CloudTrailRawEvents } return { EVENT_NAME } }';
    const text = `{ source { LW_HE_MACHINES } filter { HOSTNAME in ${inner} } return { MID } }`;
    const { query } = await language.readUserQuery('a', long(text));
    const [block] = query.blocks;
    const [source] = block?.sources ?? [];
    expect(source?.kind === 'table' && source.datasource).toEqual(catalogue.find('LW_HE_MACHINES'));
    const subquerySource = block?.filter?.kind === 'inSubquery' ? block.filter.block.sources[0] : undefined;
    expect(subquerySource?.kind === 'table' && subquerySource.datasource).toEqual(
      catalogue.find('CloudTrailRawEvents'),
    );
  });
});

test('a short query needs no thread', async () => {
  const text = '{ source { CloudTrailRawEvents } return { EVENT_NAME } }';
  const pending = language.readUserQuery('a', text);
  expect(pool.running).toBe(0);
  expect((await pending).text).toBe(text);
});
