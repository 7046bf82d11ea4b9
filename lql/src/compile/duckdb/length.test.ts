import { expect, test } from 'vitest';
import { analyse } from '../../analyse.ts';
import { testCatalogue } from '../../reference/tables.sample.ts';
import { maxQueryLength } from '../../syntax/parser.ts';
import { compile } from '../compile.ts';
import { duckdb } from './duckdb.ts';
import { sampleBounds, sampleNow, sampleTables } from './engine.sample.ts';

/** In characters. Generating and freeing a statement blocks the event loop in proportion to its length. */
const maxStatementLength = 1_000_000;

function checked(text: string) {
  return text.length <= maxQueryLength ? analyse(text, testCatalogue).query : undefined;
}

function lengthOf(text: string): number {
  const query = checked(text);
  if (!query) throw new Error('The query was rejected.');
  const options = { dialect: duckdb, tables: sampleTables, bounds: sampleBounds, now: sampleNow };
  return compile(query, options).sql.length;
}

/** The highest allowed repetition of a fragment. */
function maxRepetitions(repeated: (count: number) => string): number {
  let [accepted, rejected] = [1, maxQueryLength];
  while (rejected - accepted > 1) {
    const middle = Math.floor((accepted + rejected) / 2);
    if (checked(repeated(middle))) accepted = middle;
    else rejected = middle;
  }
  return accepted;
}

const repeat = (count: number, fragment: (number: number) => string) =>
  Array.from({ length: count }, (_, at) => fragment(at));
const filter = (fragment: (number: number) => string) => (count: number) =>
  `{ source { ALPHA } filter { ${repeat(count, fragment).join(' or ')} } return { ID } }`;
const returned = (fragment: (number: number) => string) => (count: number) =>
  `{ source { ALPHA } return { ${repeat(count, (at) => `${fragment(at)} as C${at}`).join(', ')} } }`;
const inList = (start: string, fragment: (number: number) => string) => (count: number) =>
  `{ source { ALPHA } filter { ${start}${repeat(count, fragment).join(', ')}) } return { ID } }`;

test.each<[string, (count: number) => string]>([
  ['paths that are compared with numbers', filter((at) => `DOC:a.b${at} = ${at}`)],
  [
    'paths that are compared with numbers beyond the precision of a double',
    filter((at) => `DOC:a = 9223372036854770${at}`),
  ],
  ['paths through arrays', filter((at) => `DOC:a."${at}"."1"."2" = 'x'`)],
  ['paths that are returned', returned((at) => `DOC:b${at}`)],
  ['columns of numbers', returned(() => 'ID')],
  ['numbers parsed from strings', returned(() => 'NAME::Number')],
  ['timestamps parsed from strings', returned(() => 'NAME::Timestamp')],
  ['timestamps parsed from JSON', returned(() => 'DOC::Timestamp')],
  ['absolute values', returned(() => 'abs(DOC)')],
  ['substrings', returned((at) => `substring(DOC, DOC, ${at})`)],
  ['addresses', returned(() => 'ip_address(NAME)')],
  ['networks', filter((at) => `ip_contains('10.0.${at}.0/24', NAME)`)],
  ['numbers searched in an array', inList('any_in_array(DOC, ', (at) => `${at}`)],
  ['strings searched in an array', inList('any_in_array(DOC, ', (at) => `'${at}'`)],
  ['long numbers in a list', inList('DOC::Number in (', (at) => `92233720368547${at + 10_000}`)],
])('the statement of the maximum number of %s is short', (_, repeated) => {
  const count = maxRepetitions(repeated);
  expect(lengthOf(repeated(count))).toBeLessThan(maxStatementLength);
});

test('a statement grows linearly with its query', () => {
  const paths = filter((at) => `DOC:a.b${at} = ${at}`);
  const [short, long] = [lengthOf(paths(100)), lengthOf(paths(400))];
  expect(long).toBeLessThan(4.1 * short);
});

test('tables are queried once for extracted paths, regardless of the number of paths', () => {
  const query = checked(filter((at) => `DOC:a.b${at} = 'x'`)(400));
  if (!query) throw new Error('The query was rejected.');
  let calls = 0;
  const extractedTypes = () => {
    calls++;
    return () => undefined;
  };
  compile(query, {
    dialect: duckdb,
    tables: { ...sampleTables, extractedTypes },
    bounds: sampleBounds,
    now: sampleNow,
  });
  expect(calls).toBe(1);
});
