import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { analyse } from '../../analyse.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { functions } from '../../catalogue/functions.ts';
import { answer } from '../../reference/evaluate.ts';
import { parseJson, writeJson } from '../../reference/json.ts';
import { fullMatch } from '../../reference/pattern.sample.ts';
import type { Known } from '../../reference/values.ts';
import { SampleEngine, sampleNow } from './engine.sample.ts';

/** One row, with something of each type. */
const row = new Map<string, Known>([
  ['TEXT', 'Grüße 😀'],
  ['BIG', 9007199254740993n],
  ['HALF', 2.5],
  ['AT', Date.UTC(2024, 0, 31, 23, 59, 58, 765)],
  [
    'DOC',
    parseJson(
      '{"s":"abc","n":5,"big":9007199254740993,"f":-1.5,"t":true,"no":null,"l":[1,"1",null,true,{"k":2}],"e":[],"o":{"z":1,"a":[2]},"when":"2024-05-01","no such":{"a.b":{"":7}},"text":" 12 ","yes":"TRUE"}',
    ),
  ],
]);

const catalogue: Catalogue = {
  find: (name) =>
    name === 'T'
      ? {
          name,
          description: 'One row.',
          relationships: [],
          columns: [
            { name: 'TEXT', type: 'String' },
            { name: 'BIG', type: 'Number' },
            { name: 'HALF', type: 'Number' },
            { name: 'AT', type: 'Timestamp' },
            { name: 'DOC', type: 'Json' },
          ],
        }
      : undefined,
  names: () => ['T'],
};

/** A value as it stands in an answer, or a test: true, false or unknown. */
const expected: Record<string, string> = {
  // Existence and JSON
  'value_exists(DOC:s)': 'true',
  'value_exists(DOC:e)': 'true',
  'value_exists(DOC:no)': 'false',
  'value_exists(DOC:gone)': 'false',
  'key_exists(DOC:no)': 'true',
  'key_exists(DOC:gone)': 'false',
  'DOC:no is null': 'false',
  'DOC:no is json null': 'true',
  'DOC:gone is null': 'true',
  'DOC:gone is json null': 'unknown',
  'DOC:s is not json null': 'true',
  'is_array(DOC:l)': 'true',
  'is_array(DOC:o)': 'false',
  'is_array(DOC:gone)': 'unknown',
  'is_object(DOC:o)': 'true',
  'is_object(DOC:l)': 'false',
  'array_size(DOC:l)': '5',
  'array_size(DOC:e)': '0',
  'array_size(DOC:o)': 'null',
  "any_in_array(DOC:l, 'x', '1')": 'true',
  'any_in_array(DOC:l, 1)': 'true',
  'any_in_array(DOC:l, 2)': 'false',
  'any_in_array(DOC:l, true)': 'true',
  'any_in_array(DOC:o, 1)': 'false',
  'any_in_array(DOC:gone, 1)': 'false',
  'any_in_array(DOC:l, null)': 'false',
  'to_json(\'{"a": [1, 2.5]}\'):a': '[1,2.5]',
  "to_json('{a')": 'null',
  "to_json('[1,]')": 'null',
  "to_json('NaN')": 'null',
  "to_json('-Infinity')": 'null',
  'to_json(\'["NaN, ]"]\')': '["NaN, ]"]',
  'DOC:"no such"."a.b".""': '7',
  'DOC:o': '{"z":1,"a":[2]}',
  'coalesce(DOC:gone, DOC:s, DOC:n)': '"abc"',
  'coalesce(null, BIG, 2)': '9007199254740993',
  'coalesce(DOC:gone::Number, 0.5)': '0.5',

  // Texts
  "contains(TEXT, 'ß')": 'true',
  "contains(TEXT, 'SS')": 'false',
  "contains(TEXT, '')": 'true',
  "starts_with(TEXT, 'Gr')": 'true',
  "starts_with(TEXT, 'gr')": 'false',
  "ends_with(TEXT, '😀')": 'true',
  "char_index('😀', TEXT)": '7',
  "char_index('x', TEXT)": '0',
  "char_index('', TEXT)": '1',
  "char_index('a', 'aba', 2)": '3',
  "char_index('a', 'aba', -5)": '1',
  "char_index('a', 'aba', 9)": '0',
  "char_index('', 'aba', 4)": '4',
  "char_index('', 'aba', 5)": '0',
  'substring(TEXT, 3, 2)': '"üß"',
  'substring(TEXT, 7)': '"😀"',
  'substring(TEXT, 0, 2)': '"Gr"',
  'substring(TEXT, -1)': '"😀"',
  'substring(TEXT, -3, 2)': '"e "',
  'substring(TEXT, -9)': '""',
  'substring(TEXT, 99)': '""',
  'substring(TEXT, 2, -1)': '""',
  'substring(TEXT, 9223372036854775807, 9223372036854775807)': '""',
  'substring(TEXT, 1.9, 1.9)': '"G"',
  'left(TEXT, 3)': '"Grü"',
  'left(TEXT, -3)': '""',
  'right(TEXT, 3)': '"e 😀"',
  'right(TEXT, -3)': '""',
  'length(TEXT)': '7',
  'length(DOC:l)': '25',
  'lower(TEXT)': '"grüße 😀"',
  'upper(DOC:s)': '"ABC"',
  'ltrim(" \\t x \\n")': '"x \\n"',
  'rtrim(" \\t x \\n")': '" \\t x"',
  'trim(" \\t x \\n")': '"x"',
  'trim("abcde", 2)': '"c"',
  'trim("abcde", 3)': '""',
  'trim("abcde", -1)': '"abcde"',
  "to_boolean('TRUE')": 'true',
  "to_boolean('no')": 'unknown',
  "to_double('1e2')": '100',
  "to_double('9007199254740993')": '9007199254740992',
  "to_double('1.2.3')": 'null',
  "try_to_number('2.5')": '3',
  "try_to_number('-2.5')": '-3',
  "try_to_number('9007199254740993')": '9007199254740993',
  "try_to_number('1e30')": 'null',
  "try_to_number('x')": 'null',
  "TEXT || '!' || DOC:s": '"Grüße 😀!abc"',
  'TEXT || DOC:gone': 'null',

  // Numbers
  'abs(-3)': '3',
  'abs(DOC:f)': '1.5',
  'abs(-9223372036854775807 - 1)': 'null',
  'BIG + 1': '9007199254740994',
  'BIG * BIG': 'null',
  'BIG / 0': 'null',
  'BIG % 0': 'null',
  'HALF + 1': '3.5',
  'HALF * 2': '5',
  'HALF % 2': '0.5',
  '7 / 2': '3.5',
  '8 / 2': '4',
  '-7 % 3': '-1',
  '-BIG': '-9007199254740993',
  'DOC:big::Number + 1': '9007199254740994',
  'DOC:f::Number * 2': '-3',
  '1.5 + 1': '2.5',
  'DOC:big = 9007199254740993': 'true',
  'DOC:big = 9007199254740992': 'false',
  'DOC:big = BIG': 'true',
  'DOC:n > 4.5': 'true',
  'HALF = 2.5': 'true',
  'BIG in (1, 9007199254740993)': 'true',
  'DOC:n in (4, 5)': 'true',
  'DOC:big in (4, 9007199254740993)': 'true',
  'DOC:s in (4, 5)': 'unknown',

  // Conversions
  'DOC:s::String': '"abc"',
  'DOC:big::String': '"9007199254740993"',
  'DOC:f::String': '"-1.5"',
  'DOC:t::String': '"true"',
  'DOC:no::String': 'null',
  'DOC:l::String': '"[1,\\"1\\",null,true,{\\"k\\":2}]"',
  'DOC:text::Number': '12',
  'DOC:s::Number': 'null',
  'DOC:t::Number': 'null',
  'DOC:no::Number': 'null',
  'DOC:yes::Boolean': 'true',
  'DOC:t::Boolean': 'true',
  'DOC:n::Boolean': 'unknown',
  'DOC:when::Timestamp': '"2024-05-01T00:00:00.000Z"',
  'DOC:n::Timestamp': '"1970-01-01T00:00:05.000Z"',
  'DOC:f::Timestamp': '"1969-12-31T23:59:58.500Z"',
  "'12'::Number": '12',
  "' -1.50e1 '::Number": '-15',
  "'.5'::Number": '0.5',
  "'5.'::Number": '5',
  "'+5'::Number": '5',
  "'0x1F'::Number": 'null',
  "'1_000'::Number": 'null',
  "'inf'::Number": 'null',
  "'1e999'::Number": 'null',
  "''::Number": 'null',
  "'9223372036854775807'::Number": '9223372036854775807',
  "'-9223372036854775808'::Number": '-9223372036854775808',
  "'false'::Boolean": 'false',
  '0::Boolean': 'false',
  'HALF::Boolean': 'true',
  "'2024-05-01T13:00:05+02:00'::Timestamp": '"2024-05-01T11:00:05.000Z"',
  "'2024-05-01 13:00:05.1239'::Timestamp": '"2024-05-01T13:00:05.123Z"',
  "'2024-05-01T13:00Z'::Timestamp": '"2024-05-01T13:00:00.000Z"',
  "'2024-02-30'::Timestamp": 'null',
  "'2024-05-01T24:00:00'::Timestamp": 'null',
  "'0000-01-01'::Timestamp": 'null',
  "'9999-12-31T23:59:59.999Z'::Timestamp": '"9999-12-31T23:59:59.999Z"',
  "'9999-12-31T23:59:59.999-01:00'::Timestamp": 'null',
  "'1714521600'::Timestamp": '"2024-05-01T00:00:00.000Z"',
  "'1714521600123'::Timestamp": '"2024-05-01T00:00:00.123Z"',
  "'17145216001'::Timestamp": 'null',
  "'May 1'::Timestamp": 'null',
  '1714521600::Timestamp': '"2024-05-01T00:00:00.000Z"',
  '0.0005::Timestamp': '"1970-01-01T00:00:00.001Z"',
  'BIG::Timestamp': 'null',
  'AT::String': '"2024-01-31T23:59:58.765Z"',
  'AT::Json': '"2024-01-31T23:59:58.765Z"',
  'BIG::String': '"9007199254740993"',
  'HALF::String': '"2.5"',
  '(HALF * 2)::String': '"5"',
  'BIG::Json': '9007199254740993',
  'TEXT::Json': '"Grüße 😀"',
  'true::Json': 'true',
  HALF: '2.5',
  BIG: '9007199254740993',
  AT: '"2024-01-31T23:59:58.765Z"',

  // Comparisons of Json
  "DOC:t = 'true'": 'true',
  'DOC:t = true': 'true',
  "DOC:n = '5'": 'true',
  'DOC:text = 12': 'true',
  "DOC:e = '[]'": 'true',
  "DOC:o <> '{}'": 'true',
  'DOC:no = 1': 'unknown',
  'DOC:gone = 1 or true': 'true',
  'DOC:gone = 1 and false': 'false',
  'not (DOC:gone = 1)': 'unknown',
  'DOC:when < AT': 'false',
  "AT > '2024-01-31'": 'true',
  "DOC:s between 'aa' and 'ac'": 'true',
  "case when DOC:gone = 1 then 'a' else 'b' end": '"b"',
  'case DOC:n when 5 then 1 when 6 then 2.5 end': '1',

  // Patterns
  "TEXT like 'Gr_ße %'": 'true',
  "TEXT like 'gr%'": 'false',
  "TEXT ilike 'GRÜ%'": 'true',
  "'a%b' like s'a\\%b'": 'true',
  "'axb' like s'a\\%b'": 'false',
  "'a\\\\' like TEXT || s'\\'": 'unknown',
  "'x' like s'x\\'": 'unknown',
  "TEXT rlike 'Gr.*'": 'true',
  "TEXT rlike 'r.*'": 'false',
  "TEXT rlike lower('(')": 'unknown',
  "TEXT like any ('x', 'Gr%')": 'true',
  "TEXT not like any ('x', 'Gr%')": 'false',

  // Time
  'add_millis(1235, AT)': '"2024-02-01T00:00:00.000Z"',
  'add_seconds(2, AT)': '"2024-02-01T00:00:00.765Z"',
  'add_minutes(-1, AT)': '"2024-01-31T23:58:58.765Z"',
  'add_hours(1, AT)': '"2024-02-01T00:59:58.765Z"',
  'add_days(-31, AT)': '"2023-12-31T23:59:58.765Z"',
  'add_days(9223372036854775807, AT)': 'null',
  'add_months(1, AT)': '"2024-02-29T23:59:58.765Z"',
  'add_months(-11, AT)': '"2023-02-28T23:59:58.765Z"',
  'add_months(9999999999, AT)': 'null',
  "add_years(1, '2024-02-29'::Timestamp)": '"2025-02-28T00:00:00.000Z"',
  'add_years(8000, AT)': 'null',
  'add_days(1, DOC:when)': '"2024-05-02T00:00:00.000Z"',
  "diff_millis(AT, '2024-02-01'::Timestamp)": '1235',
  "diff_seconds(AT, '2024-02-01'::Timestamp)": '2',
  "diff_minutes(AT, '2024-02-01'::Timestamp)": '1',
  "diff_hours(AT, '2024-02-01'::Timestamp)": '1',
  "diff_days('2024-02-01'::Timestamp, AT)": '-1',
  "diff_months(AT, '2024-02-01'::Timestamp)": '1',
  "diff_years(AT, '2025-01-01'::Timestamp)": '1',
  'year_part(AT)': '2024',
  'quarter_part(AT)': '1',
  'month_part(AT)': '1',
  'day_part(AT)': '31',
  'hour_part(AT)': '23',
  'minute_part(AT)': '59',
  'second_part(AT)': '58',
  'day_of_month(AT)': '31',
  'day_of_week(AT)': '3',
  "day_of_week('2024-05-05'::Timestamp)": '7',
  "day_of_year('2024-12-31'::Timestamp)": '366',
  'epoch_ms(AT)': '1706745598765',
  'epoch_sec(AT)': '1706745598',
  "epoch_sec('1969-12-31T23:59:59.500Z'::Timestamp)": '-1',
  'ms_to_timestamp(1714521600123)': '"2024-05-01T00:00:00.123Z"',
  'ms_to_timestamp(BIG)': 'null',
  'sec_to_timestamp(1714521600)': '"2024-05-01T00:00:00.000Z"',
  "to_timestamp('2024-05-01')": '"2024-05-01T00:00:00.000Z"',
  'current_timestamp_ms()': '1714568400000',
  'current_timestamp_sec()': '1714568400',
  'current_timestamp()': '"2024-05-01T13:00:00.000Z"',

  // Addresses
  "ip_address('10.1.2.3/8')": '"10.1.2.3"',
  "ip_address('10.1.2')": 'null',
  "ip_address('2001:DB8::1/64')": '"2001:DB8::1"',
  "ip_family('10.1.2.3')": '4',
  "ip_family('::ffff:10.1.2.3')": '6',
  "ip_family('::')": '6',
  "ip_family('1:2:3:4:5:6:7:8')": '6',
  "ip_family('1:2:3:4:5:6:7::')": '6',
  "ip_family('1:2:3:4:5:6:7:8::')": 'null',
  "ip_family('1::2::3')": 'null',
  "ip_family(':1')": 'null',
  "ip_family('256.1.1.1')": 'null',
  "ip_family('01.1.1.1')": 'null',
  "ip_high_netmask_bits('10.0.0.0/8')": '8',
  "ip_high_netmask_bits('10.0.0.0')": '32',
  "ip_high_netmask_bits('::1')": '128',
  "ip_high_netmask_bits('::1/129')": 'null',
  "ip_high_netmask_bits('10.0.0.0/33')": 'null',
  "ip_contains('10.0.0.0/8', '10.255.1.1')": 'true',
  "ip_contains('10.0.0.0/9', '10.128.0.0')": 'false',
  "ip_contains('10.0.0.0/9', '10.127.0.0/16')": 'true',
  "ip_contains('10.0.0.0/16', '10.0.0.0/8')": 'false',
  "ip_contains('0.0.0.0/0', '1.2.3.4')": 'true',
  "ip_contains('::/0', '1.2.3.4')": 'false',
  "ip_contains('2001:db8::/33', '2001:db8:7fff::1')": 'true',
  "ip_contains('2001:db8::/33', '2001:db8:8000::1')": 'false',
  "ip_contains('x', '1.2.3.4')": 'unknown',
};

let engine: SampleEngine;
/** What the engine and the evaluator say of each expression. A statement takes its time to plan, so many share one. */
const said = new Map<string, { readonly engine: unknown; readonly evaluator: unknown }>();

const isTest = (expression: string) =>
  ['true', 'false', 'unknown'].includes(expected[expression] ?? '') && expression !== 'true::Json';

beforeAll(async () => {
  engine = await SampleEngine.start(catalogue, ['HALF']);
  await engine.fill('T', [{ account: 'own', at: 1, row }]);
  const expressions = Object.keys(expected);
  for (let from = 0; from < expressions.length; from += 40) await ask(expressions.slice(from, from + 40));
});

afterAll(() => engine.stop());

async function ask(expressions: readonly string[]): Promise<void> {
  const columns = expressions.map((expression, at) => {
    const verdict = `case when ${expression} then 'true' when not (${expression}) then 'false' else 'unknown' end`;
    return `${isTest(expression) ? verdict : expression} as X${at}`;
  });
  const { query, problems } = analyse(`{ source { T } return { ${columns.join(', ')} } }`, catalogue);
  if (!query) throw new Error(problems.map(({ message }) => message).join(' '));
  const [fromEngine = ''] = await engine.answer(query);
  const [fromEvaluator = ''] = answer(query, { rows: () => [row], now: sampleNow, matches: fullMatch });
  const [left, right] = [membersOf(fromEngine), membersOf(fromEvaluator)];
  expressions.forEach((expression, at) => {
    said.set(expression, { engine: left.get(`X${at}`), evaluator: right.get(`X${at}`) });
  });
}

/** The members of an object, each as the text that it has. */
function membersOf(text: string): ReadonlyMap<string, string> {
  const json = parseJson(text);
  const members = json?.kind === 'object' ? [...json.members] : [];
  return new Map(members.map(([name, value]) => [name, writeJson(value)]));
}

describe('expressions', () => {
  test.for(Object.entries(expected))('%s is %s', ([expression, value]) => {
    const text = isTest(expression) ? JSON.stringify(value) : value;
    expect(said.get(expression)).toEqual({ engine: text, evaluator: text });
  });

  test('are tried with every function', () => {
    const tried = Object.keys(expected).join(' ');
    const untried = Object.keys(functions).filter((name) => !tried.includes(`${name}(`));
    expect(untried).toEqual([]);
  });
});
