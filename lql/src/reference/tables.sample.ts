import fc from 'fast-check';
import {
  type Catalogue,
  type Datasource,
  defaultRelationship,
  type JoinKey,
} from '../catalogue/catalogue.ts';
import type { Row } from './evaluate.ts';
import type { Json } from './json.ts';
import type { ReferenceValue } from './values.ts';

const relationship = (name: string, to: string, ...on: { from: JoinKey; to: JoinKey }[]) =>
  ({ name, to, description: 'Of a test.', cardinality: 'MANY', on }) as const;
const key = (column: string, ...keys: string[]): JoinKey => (keys.length > 0 ? { column, keys } : { column });

const datasources: readonly Datasource[] = [
  {
    name: 'ALPHA',
    description: 'Of a test.',
    columns: [
      { name: 'ID', type: 'Number' },
      { name: 'NAME', type: 'String' },
      { name: 'SEEN', type: 'Timestamp' },
      { name: 'SHARE', type: 'Number' },
      { name: 'DOC', type: 'Json' },
    ],
    relationships: [
      relationship(defaultRelationship, 'BETA', { from: key('ID'), to: key('ID') }),
      relationship(
        'by name',
        'BETA',
        { from: key('NAME'), to: key('NAME') },
        { from: key('ID'), to: key('ID') },
      ),
      relationship('by string', 'BETA', { from: key('DOC', 'a'), to: key('ID') }),
      { ...relationship('last', 'BETA', { from: key('ID'), to: key('ID') }), cardinality: 'ONE' },
      {
        ...relationship('last by string', 'BETA', { from: key('NAME'), to: key('DOC', 'a') }),
        cardinality: 'ONE',
      },
      relationship('itself', 'ALPHA', { from: key('SEEN'), to: key('SEEN') }),
    ],
  },
  {
    name: 'BETA',
    description: 'Of a test.',
    reportedAt: 'AT',
    columns: [
      { name: 'ID', type: 'Number' },
      { name: 'AT', type: 'Timestamp' },
      { name: 'NAME', type: 'String' },
      { name: 'DOC', type: 'Json' },
    ],
    relationships: [
      relationship(defaultRelationship, 'ALPHA', { from: key('NAME'), to: key('DOC', 'list', 'x y') }),
      relationship('by share', 'ALPHA', { from: key('DOC', 'b'), to: key('SHARE') }),
    ],
  },
];

/** Two datasources with several relationships. SHARE has doubles. */
export const testCatalogue: Catalogue = {
  find: (name) => datasources.find((datasource) => datasource.name === name),
  names: () => datasources.map(({ name }) => name),
};
export const testDatasources = datasources;
export const doubleColumns = ['SHARE'];

const strings = [
  ...['', 'a', 'A', 'b', 'ab', 'abc', 'aBc', ' a ', 'é', 'Éa', '😀b', 'a\nb', '\t', '\u0000a'],
  ...[
    'true',
    'FALSE',
    'null',
    '0',
    '1',
    '7',
    '12',
    ' 3 ',
    '-7.5',
    '2.5',
    '+1.50e3',
    '0x1F',
    '1_000',
    'inf',
    'NaN',
  ],
  ...['9007199254740993', '9223372036854775807', '-9223372036854775808', '12345678901234567890'],
  ...['2024-05-01', '2024-02-29T23:59:59.999Z', '2024-05-01 13:00:05+02:00', '1714521600', '1714521600123'],
  ...['2024-02-30', '0001-01-01', '1969-12-31T23:59:59.1Z'],
  ...['10.0.0.0/8', '10.1.2.3', '::1', '2001:db8::/32', '2001:DB8::7', '::ffff:1.2.3.4', '1.2.3.4/33'],
  ...[
    '{"a":1}',
    '[1,"a",null]',
    '{bad',
    '[1,]',
    '"a"',
    '[]',
    'a%',
    '_b',
    '%',
    'a\\',
    '\\%',
    '.*',
    '[a-z]+',
    '(',
    '(?i)a',
  ],
  ...["'; drop table ALPHA; --", '/* $1 */', '"', "''", '$1'],
];
export const string = fc.constantFrom(...strings);

const integers = [
  0n,
  1n,
  2n,
  3n,
  7n,
  12n,
  -1n,
  -7n,
  443n,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  1714521600n,
];
export const integer = fc.constantFrom(...integers);
/** Doubles whose shortest representation is unambiguous. */
export const eighth = fc.integer({ min: -80, max: 80 }).map((number) => number / 8);

const timestamps = [
  '2024-05-01',
  '2024-02-29T23:59:59.999Z',
  '2023-12-31T23:59:59Z',
  '1969-12-31T23:59:59.999Z',
];
const boundaryTimestamps = [-62135596800000, 253402300799999, 0, 1714521600123];
export const timestamp = fc.constantFrom(
  ...timestamps.map((each) => Date.parse(each)),
  ...boundaryTimestamps,
);

export const keys = ['a', 'b', 'list', 'x y', '0', '*', '', 'a.b', 'a/b', '~', '"', '\\', "'", '$', 'é'];
const keyOf = fc.oneof({ weight: 3, arbitrary: fc.constantFrom('a', 'b', 'list') }, fc.constantFrom(...keys));

export const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', maxDepth: 3, withCrossShrink: true },
    fc.constant<Json>({ kind: 'null' }),
    fc.boolean().map<Json>((value) => ({ kind: 'boolean', value })),
    integer.map<Json>((value) => ({ kind: 'number', digits: value.toString() })),
    eighth
      .filter((value) => value % 1 !== 0)
      .map<Json>((value) => ({ kind: 'number', digits: value.toString() })),
    string.map<Json>((value) => ({ kind: 'string', value })),
    fc.array(tie('json'), { maxLength: 3 }).map<Json>((items) => ({ kind: 'array', items })),
    fc.dictionary(keyOf, tie('json'), { maxKeys: 4 }).map<Json>((members) => ({
      kind: 'object',
      members: new Map(Object.entries(members)),
    })),
  ),
}));

const document = fc
  .dictionary(keyOf, json, { minKeys: 1, maxKeys: 4 })
  .map<Json>((members) => ({ kind: 'object', members: new Map(Object.entries(members)) }));

function row(datasource: Datasource): fc.Arbitrary<Row> {
  const values = datasource.columns.map(({ name, type }): fc.Arbitrary<ReferenceValue> => {
    if (doubleColumns.includes(name)) return fc.option(eighth);
    if (type === 'Number') return fc.option(integer);
    if (type === 'String') return fc.option(string);
    if (type === 'Timestamp') return fc.option(timestamp);
    return fc.option(fc.oneof({ weight: 4, arbitrary: document }, json));
  });
  return fc
    .tuple(...values)
    .map((all) => new Map(datasource.columns.map(({ name }, at) => [name, all[at] ?? null])));
}

export const rowsByDatasource: fc.Arbitrary<ReadonlyMap<string, readonly Row[]>> = fc
  .tuple(...datasources.map((datasource) => fc.array(row(datasource), { minLength: 1, maxLength: 4 })))
  .map(
    (all) =>
      new Map(
        datasources.map((datasource, at) => [datasource.name, withTimestamps(datasource, all[at] ?? [])]),
      ),
  );

/** With unique timestamps, so that the latest row is unambiguous. */
function withTimestamps({ reportedAt }: Datasource, rows: readonly Row[]): readonly Row[] {
  return reportedAt === undefined
    ? rows
    : rows.map((row, at) => new Map([...row, [reportedAt, 1_700_000_000_000 + at]]));
}
