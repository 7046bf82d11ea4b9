import type { FunctionName } from '../catalogue/functions.ts';
import type { Sql, Writer } from './dialect.ts';
import type { Bind } from './tables.ts';
import type { Value, Values } from './values.ts';

export interface CallContext {
  readonly values: Values;
  readonly writer: Writer;
  readonly bind: Bind;
  readonly now: number;
}

type ComposedImplementation = (args: readonly Value[], context: CallContext) => Value;

const timestamp = (sql: Sql): Value => ({ type: 'Timestamp', sql });
const integer = (sql: Sql): Value => ({ type: 'Number', number: { form: 'integer', sql } });
const test = (sql: Sql): Value => ({ type: 'Boolean', sql });

const nullValue: Value = { type: 'Null' };

/** Functions composed of dialect primitives, mostly because they accept or return several types. */
export const composed = {
  value_exists: ([value = nullValue], { writer }) =>
    test(
      value.type === 'Json'
        ? `coalesce(not ${writer.json.is('null', value.sql, value.keys)}, false)`
        : 'false',
    ),
  key_exists: ([value = nullValue], { values }) => test(`(not (${values.isNull(value)}))`),
  is_array: ([value = nullValue], { writer }) => kindTest('array', value, writer),
  is_object: ([value = nullValue], { writer }) => kindTest('object', value, writer),
  array_size: ([value = nullValue], { values, writer }) =>
    integer(
      writer.once(
        [values.sql(values.converted(value, 'Json'))],
        (json) => `case when ${writer.json.is('array', json, [])} then ${writer.json.length(json)} end`,
      ),
    ),
  any_in_array: ([array = nullValue, ...items], context) => test(anyInArray(array, items, context)),
  to_json: ([string = nullValue], { values, writer }) => ({
    type: 'Json',
    sql: writer.json.parsed(values.string(string)),
    keys: [],
  }),
  coalesce: (args, { values }) => {
    const type = args.find((value) => value.type !== 'Null')?.type ?? 'Null';
    return values.unified(type, args, (all) => `coalesce(${all.join(', ')})`);
  },
  to_boolean: ([string = nullValue], { values }) => values.converted(string, 'Boolean'),
  to_double: ([string = nullValue], { values }) => ({
    type: 'Number',
    number: { form: 'double', sql: values.numbers.double(values.number(string)) },
  }),
  try_to_number: ([string = nullValue], { values, writer }) =>
    integer(
      writer.once([values.numbers.mixed(values.number(string))], (mixed) => {
        const part = writer.numbers.integerPart(mixed);
        return `case when ${part} is null then ${writer.numbers.rounded(writer.numbers.doublePart(mixed))} else ${part} end`;
      }),
    ),
  abs: ([number = nullValue], { values }) => ({
    type: 'Number',
    number: values.numbers.absolute(values.number(number)),
  }),
  epoch_ms: ([at = nullValue], { values }) => integer(values.sql(values.converted(at, 'Timestamp'))),
  ms_to_timestamp: ([number = nullValue], { values, writer }) =>
    timestamp(writer.timestamps.ofMilliseconds(values.numbers.integer(values.number(number)))),
  sec_to_timestamp: ([number = nullValue], { values }) => {
    const typed = values.converted(number, 'Number');
    return values.converted(typed, 'Timestamp');
  },
  to_timestamp: ([string = nullValue], { values }) => values.converted(string, 'Timestamp'),
  current_timestamp_ms: (_, { bind, now }) => integer(bind(BigInt(now))),
  current_timestamp_sec: (_, { bind, now }) => integer(bind(BigInt(Math.floor(now / 1000)))),
  current_timestamp: (_, { bind, now }) => timestamp(bind(BigInt(now))),
} satisfies Partial<Record<FunctionName, ComposedImplementation>>;

export type ComposedFunction = keyof typeof composed;

export const isComposed = (name: FunctionName): name is ComposedFunction => Object.hasOwn(composed, name);

function kindTest(kind: 'array' | 'object', value: Value, writer: Writer): Value {
  return test(value.type === 'Json' ? writer.json.is(kind, value.sql, value.keys) : writer.nullOf('Boolean'));
}

function anyInArray(array: Value, items: readonly Value[], { values, writer }: CallContext): Sql {
  const candidates = items.filter((item) => item.type !== 'Null');
  const of = values.converted(array, 'Json');
  if (of.type !== 'Json') return 'false';
  const sqls = candidates.map((item) => values.sql(item));
  return writer.json.someItem(
    writer.json.items(of.sql, of.keys),
    sqls,
    (item, names) =>
      candidates
        .map((each, at) => {
          const sql = names[at] ?? '';
          const named: Value =
            each.type === 'Number'
              ? { type: 'Number', number: { form: each.number.form, sql } }
              : each.type === 'Json'
                ? { type: 'Json', sql, keys: [] }
                : { ...each, sql };
          const own: Value = { type: 'Json', sql: item, keys: [] };
          const typed = named.type === 'Json' ? own : values.converted(own, named.type);
          return values.compared('=', typed, named);
        })
        .join(' or ') || 'false',
  );
}
