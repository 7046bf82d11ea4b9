import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectForWriting } from '../control/connect.ts';
import { createTestPlace, type TestPlace, testDialect } from '../testing/database.ts';
import { compileFilters } from './compiler.ts';
import { sample } from './dataset.sample.ts';
import { matcher } from './evaluator.ts';
import { filtersOn } from './filter.sample.ts';
import { type Filter, type FilterBody, type FilterValue, readFilter } from './filter.ts';
import { type ApiRecord, project, readRecord } from './record.ts';
import { recordSql } from './record-sql.ts';

interface Row {
  id: string;
  name: string | null;
  size: number | null;
  item_count: number | null;
  enabled: number | null;
  seen_time: number | null;
  props: string | null;
}

let database: TestPlace;
let db: Kysely<{ things: Row }>;

beforeAll(async () => {
  database = await createTestPlace();
  db = await connectForWriting(database.controlUrl, 1);
  const stringType = testDialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  await db.schema
    .createTable('things')
    .addColumn('id', stringType)
    .addColumn('name', stringType)
    .addColumn('size', 'double precision')
    .addColumn('item_count', 'bigint')
    .addColumn('enabled', 'integer')
    .addColumn('seen_time', 'bigint')
    .addColumn('props', stringType)
    .execute();
});

afterAll(async () => {
  await db.destroy();
  await database.remove();
});

async function store(records: readonly ApiRecord[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('things').execute();
    await tx.insertInto('things').values(records.map(toRow)).execute();
  });
}

function toRow(record: ApiRecord): Row {
  return {
    id: record.id as string,
    name: (record.name as string | undefined) ?? null,
    size: (record.size as number | undefined) ?? null,
    item_count: (record.count as number | undefined) ?? null,
    enabled: record.enabled === undefined ? null : Number(record.enabled),
    seen_time: record.seenTime === undefined ? null : Date.parse(record.seenTime as string),
    props: record.props === undefined ? null : JSON.stringify(record.props),
  };
}

async function find(filters: readonly Filter[]): Promise<ApiRecord[]> {
  const { conditions, remaining } = compileFilters(filters, sample, testDialect);
  let query = db.selectFrom('things').selectAll().orderBy('id');
  for (const condition of conditions) query = query.where(condition);
  const rows = await query.execute();
  return rows.map((row) => readRecord({ ...row }, sample)).filter(matcher(remaining));
}

const read = (bodies: readonly FilterBody[]) =>
  bodies.map((body, at) => readFilter(body, `filters[${at}]`, sample));

/** Few characters, to make collisions likely; each is special in a database, in UTF-16 or in a pattern. */
const characters = [...'aAb1. éÉİσΣ\n\t%_*?[]^\\"\'\u{e000}\u{fffd}\u{fffe}\u{ffff}\u{10000}😀'];
const string = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom('a', 'A', 'b', '😀', '\uffff'), maxLength: 2 }) },
  { weight: 2, arbitrary: fc.string({ unit: fc.constantFrom(...characters), maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom('true', 'FALSE', '0', '1', '1.5', '-1', 'null') },
);
const number = fc.constantFrom(0, 1, -1, 1.5, 2, 10, 0.1, 1e21, 1e-9, 1.7976931348623157e308);
const integer = fc.constantFrom(0, 1, -1, 2, 10, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER);
const instant = fc.constantFrom(
  '2024-05-01T00:00:00.000Z',
  '2024-05-01T00:00:00.001Z',
  '1969-12-31T23:59:59.999Z',
);
const scalar = fc.oneof(string, number, fc.boolean());
const memberName = fc.constantFrom('a', 'b', 'a.b', '__proto__', 'x:y/"z"');
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(memberName, tie('json'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

const records = fc
  .array(
    fc.record(
      { name: string, size: number, count: integer, enabled: fc.boolean(), seenTime: instant, props: json },
      { requiredKeys: [], noNullPrototype: true },
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((all) => all.map((record, at): ApiRecord => ({ id: String(at).padStart(2, '0'), ...record })));

const step = fc.constantFrom('.a', '.b', '."a.b"', '.__proto__', '."x:y/\\"z\\""', '[0]', '[1]');
const field = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('name', 'name', 'size', 'count', 'enabled', 'seenTime') },
  { weight: 1, arbitrary: fc.array(step, { maxLength: 2 }).map((steps) => `props${steps.join('')}`) },
);

/** Values of every type for every field, most often of the field's own type. */
function valueFor(name: string, expression: string): fc.Arbitrary<FilterValue> {
  const expressions = fc.constantFrom('.*', '.*a.*', '(?i)a.', '.', '[^a]*', 'true|1', '\\W.*');
  if (expression.endsWith('rlike')) return expressions;
  const pattern = fc
    .array(fc.oneof(fc.constantFrom('%', '_'), string), { maxLength: 3 })
    .map((parts) => parts.join(''));
  if (expression.endsWith('like')) return fc.oneof(pattern, pattern, pattern, scalar);
  const numeric = fc.oneof(number, integer, fc.constantFrom('0', '1.5', '1e999', '-1e999', '1e-999', true));
  const own: Record<string, fc.Arbitrary<FilterValue>> = {
    name: scalar,
    size: numeric,
    count: numeric,
    enabled: fc.constantFrom(true, false, 'True', 'false', '0', '1', 0, 1),
    seenTime: fc.oneof(instant, fc.constantFrom('2024-05-01', '2024-05-01T02:00:00+02:00', '2024-05-01T01')),
  };
  return own[name] ?? fc.oneof(scalar, numeric);
}

const filter = filtersOn(sample, field, valueFor);

test('the database and the evaluator select the same records', async () => {
  const seen = { searches: 0, found: 0, missed: 0, conditions: 0, remaining: 0, mixed: 0 };
  const searches = fc.array(fc.array(filter, { minLength: 1, maxLength: 2 }), { minLength: 5 });
  await fc.assert(
    fc.asyncProperty(records, searches, async (stored, searches) => {
      await store(stored);
      for (const bodies of searches) {
        const filters = read(bodies);
        const expected = stored.filter(matcher(filters));
        expect(await find(filters), JSON.stringify(bodies)).toEqual(expected);
        const { conditions, remaining } = compileFilters(filters, sample, testDialect);
        seen.searches += 1;
        seen.found += Number(expected.length > 0);
        seen.missed += Number(expected.length < stored.length);
        seen.conditions += Number(conditions.length > 0);
        seen.remaining += Number(remaining.length > 0);
        seen.mixed += Number(conditions.length > 0 && remaining.length > 0);
      }
    }),
    { numRuns: 300 },
  );
  const minimumShares = { found: 0.3, missed: 0.3, conditions: 0.3, remaining: 0.3, mixed: 0.1 };
  for (const [name, share] of Object.entries(minimumShares)) {
    expect(seen[name as keyof typeof minimumShares] / seen.searches, name).toBeGreaterThan(share);
  }
});

test('the database evaluates like in the same way for every short string and pattern', async () => {
  const units = ['', 'a', 'A', 'é', 'É', '😀', '\ufffd', '\uffff', '\n', ...'%_*?[]^\\'];
  const strings = [...new Set(units.flatMap((first) => units.map((second) => first + second)))].sort();
  const stored = strings.map((name, at) => ({ id: String(at).padStart(3, '0'), name }));
  await store(stored);
  for (const value of [...strings, '[a]', '[^a]', '[[]', 'a\\%', '\\_\\', '%\\']) {
    const filters = read([{ field: 'name', expression: 'like', value }]);
    expect(await find(filters), value).toEqual(stored.filter(matcher(filters)));
  }
});

describe('the database evaluates', () => {
  test.each<[string, string, FilterValue | FilterValue[]]>([
    ['name', 'eq', 'a'],
    ['name', 'not_in', ['a', 'b']],
    ['name', 'like', '%'],
    ['name', 'between', ['a', 'b']],
    ['size', 'gt', 1],
    ['enabled', 'ne', true],
    ['seenTime', 'le', '2024-05-01'],
  ])('%s %s %j', (field, expression, operand) => {
    const values = Array.isArray(operand) ? { values: operand } : { value: operand };
    const compiled = compileFilters(read([{ field, expression, ...values }]), sample, testDialect);
    expect(compiled).toMatchObject({ conditions: [expect.anything()], remaining: [] });
  });
});

describe('the evaluator evaluates', () => {
  test.each([
    ['name', 'ilike', 'a'],
    ['name', 'rlike', 'a'],
    ['name', 'like', '\uffff'],
    ['size', 'like', '1'],
    ['enabled', 'not_like', 'true'],
    ['seenTime', 'like', '2024%'],
    ['props', 'eq', 'a'],
    ['props.a', 'eq', 'a'],
  ])('%s %s %j', (field, expression, value) => {
    const filters = read([{ field, expression, value }]);
    expect(compileFilters(filters, sample, testDialect)).toEqual({ conditions: [], remaining: filters });
  });
});

describe('the database serialises', () => {
  test('records as readRecord reads them, with the requested members', async () => {
    const returns = fc.option(fc.subarray(Object.keys(sample.columns)), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(records, returns, async (stored, names) => {
        await store(stored);
        const expression = recordSql(sample, testDialect, names);
        const rows = await db
          .selectFrom('things')
          .select(sql<string>`${expression}`.as('json'))
          .orderBy('id')
          .execute();
        expect(rows.map((row) => JSON.parse(row.json))).toEqual(
          stored.map((record) => project(record, names)),
        );
      }),
      { numRuns: 150 },
    );
  });
});

describe('the database does not fail on', () => {
  const thing = { id: '00', name: 'a'.repeat(5_000), size: 1.5, count: 1, enabled: true };

  test.each([1.5, -0.1, 1e300, '1e999', '-1e999', Number.MAX_SAFE_INTEGER, 2 ** 63, 2 ** 64])(
    'the number %j for an integer column',
    async (value) => {
      await store([thing]);
      expect(await find(read([{ field: 'count', expression: 'ne', value }]))).toEqual([thing]);
      expect(await find(read([{ field: 'count', expression: 'in', values: [value, 1] }]))).toEqual([thing]);
    },
  );

  test('100 filters of 1,000 values', async () => {
    await store([thing]);
    const values = Array.from({ length: 1_000 }, (_, value) => value);
    const filters = read(Array(100).fill({ field: 'count', expression: 'in', values }));
    expect(await find(filters)).toEqual([thing]);
    expect(compileFilters(filters, sample, testDialect).conditions).toHaveLength(10);
  });

  test.each([
    '%a'.repeat(2_500),
    '%_'.repeat(5_000),
    '*'.repeat(10_000),
    '\u{ffdc}'.repeat(10_000),
    '\\'.repeat(10_000),
  ])('a long pattern', async (value) => {
    await store([thing]);
    const filters = read([{ field: 'name', expression: 'like', value: `${value}b` }]);
    // It would block the database, which can not be interrupted; the evaluator counts its steps.
    expect(compileFilters(filters, sample, testDialect).conditions).toEqual([]);
    expect(await find(filters)).toEqual([]);
  });

  test('a short pattern', async () => {
    await store([thing]);
    const filters = read([{ field: 'name', expression: 'like', value: `${'%_'.repeat(49)}~` }]);
    expect(compileFilters(filters, sample, testDialect).remaining).toEqual([]);
    expect(await find(filters)).toEqual([]);
  });

  test('quotes and comments in a value', async () => {
    await store([{ ...thing, name: "'; drop table things; --" }]);
    const matching = await find(
      read([{ field: 'name', expression: 'eq', value: "'; drop table things; --" }]),
    );
    expect(matching).toHaveLength(1);
  });
});
