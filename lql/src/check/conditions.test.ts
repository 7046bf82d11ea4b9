import { describe, expect, test } from 'vitest';
import { analyse } from '../analyse.ts';
import { sampleCatalogue } from '../catalogue/catalogue.sample.ts';
import { report } from '../text/report.ts';
import { events, expectFixesWork, expectReport, reported, withFix } from './report.sample.ts';

/** Problems of a condition that begins at line 2, column 10. */
const conditions: readonly (readonly [condition: string, column: number, expected: string])[] = [
  [
    'INSERT_ID',
    10,
    'at INSERT_ID: The condition of `filter` must be a Boolean, but this is a Number: compare it with a value.',
  ],
  [
    'EVENT:a and EVENT_NAME',
    22,
    'at EVENT_NAME: An operand of `and` must be a Boolean, but this is a String: compare it with a value.',
  ],
  ["INSERT_ID = '12'", 22, "at '12': A Number can not be compared with a String: write `12`."],
  ['EVENT_NAME = 12', 23, "at 12: A String can not be compared with a Number: write `'12'`."],
  ["EVENT:a::Boolean = 'true'", 29, "at 'true': A Boolean can not be compared with a String: write `true`."],
  [
    'INSERT_ID = EVENT_NAME',
    22,
    'at EVENT_NAME: A Number can not be compared with a String: write `::Number` after it.',
  ],
  [
    'EVENT_TIME > current_timestamp_sec()',
    23,
    'at current_timestamp_sec(): A Timestamp can not be compared with a Number: write `::Timestamp` after it.',
  ],
  [
    'EVENT_NAME <> INSERT_TIME',
    10,
    'at EVENT_NAME: A String can not be compared with a Timestamp: write `::Timestamp` after it.',
  ],
  ['is_array(EVENT) = EVENT_TIME', 10, 'at is_array(EVENT): A Boolean can not be compared with a Timestamp.'],
  ['EVENT:a < true', 10, 'at EVENT:a < true: A Boolean is compared with `=` and `<>` only.'],
  [
    "INSERT_ID between 1 and 'b'",
    34,
    "at 'b': A Number can not be compared with a String: write `::Number` after it.",
  ],
  [
    "INSERT_ID in (1, 'a', null)",
    27,
    "at 'a': All values of a list must have one type, that of the first: number.",
  ],
  ["EVENT_NAME in ('a', null)", 30, 'at null: A list can not hold null: remove it and add `or … is null`.'],
  [
    "INSERT_ID in ('a')",
    10,
    "at INSERT_ID in ('a'): A Number never equals a value in a list of Strings: write values of type Number, or `::String` before `in`.",
  ],
  [
    'INSERT_ID in { source { LW_HE_USERS } return { USERNAME } }',
    10,
    'at INSERT_ID: A Number never equals USERNAME, which is a String: write `::String` after it.',
  ],
  [
    'INSERT_ID in { source { LW_HE_USERS } return { MID, USERNAME } }',
    10,
    'at INSERT_ID: `in` has 1 value on its left, but the subquery in braces returns 2. Write the same number in parentheses, as in `(A, B) in { … }`.',
  ],
  [
    '(INSERT_ID, EVENT) in { source { LW_HE_USERS } return { MID } }',
    10,
    'at (INSERT_ID, EVENT): `in` has 2 values on its left, but the subquery in braces returns 1. The numbers must be equal.',
  ],
  [
    "INSERT_ID like '1%'",
    10,
    'at INSERT_ID: The value before `like` must be a String, but this is a Number: write `::String` after it.',
  ],
  [
    'EVENT_NAME ilike any (1)',
    32,
    'at 1: A pattern of `ilike` must be a String, but this is a Number: write `::String` after it.',
  ],
  [
    'EVENT_NAME is json null',
    10,
    'at EVENT_NAME is json null: Only Json can be `json null`, and this is a String: use `is null`.',
  ],
  ["EVENT_NAME + 'x' = 'y'", 10, "at EVENT_NAME + 'x': Strings are concatenated with `||`, not with `+`."],
  [
    "INSERT_ID || 1 = 'x'",
    10,
    'at INSERT_ID: An operand of `||` must be a String, but this is a Number: write `::String` after it.',
  ],
  [
    'EVENT_TIME - 1 > EVENT_TIME',
    10,
    'at EVENT_TIME - 1: Timestamps have no arithmetic: use functions such as `add_days(count, timestamp)` to shift one, and `diff_days(from, to)` for the difference of two.',
  ],
  [
    '1 * EVENT_NAME = 2',
    14,
    'at EVENT_NAME: An operand of `*` must be a Number, but this is a String: write `::Number` after it.',
  ],
  [
    '-is_array(EVENT) = 1',
    11,
    'at is_array(EVENT): The operand of `-` must be a Number, but this is a Boolean: use `case when … then 1 else 0 end`.',
  ],
  [
    "EVENT_NAME:a = 'x'",
    10,
    'at EVENT_NAME:a: Only Json has keys, and this is a String: use `to_json(…)` to parse JSON.',
  ],
  [
    "is_array(EVENT)::String = 'x'",
    27,
    "at String: Boolean can not be cast to String: use `case when … then 'true' else 'false' end`.",
  ],
  [
    'EVENT_TIME::Number = 1',
    22,
    'at Number: Timestamp can not be cast to Number: use `epoch_ms(…)` or `epoch_sec(…)`.',
  ],
  [
    'EVENT::int = 1',
    17,
    'at int: There is no type int. Write `Number`. The types are String, Number, Timestamp, Json, Boolean.',
  ],
  [
    "EVENT::Strng = 'x'",
    17,
    'at Strng: There is no type Strng. Did you mean `String`? The types are String, Number, Timestamp, Json, Boolean.',
  ],
  [
    'case when EVENT_NAME then 1 end = 1',
    20,
    'at EVENT_NAME: The condition after `when` must be a Boolean, but this is a String: compare it with a value.',
  ],
  [
    "case when true then 1 when false then EVENT:a else 'x' end = 1",
    61,
    "at 'x': All results of `case` must have one type, but this is a String and one before it a Number. Write a cast such as `::String` after one of them.",
  ],
  [
    "case INSERT_ID when 'a' then 1 end = 1",
    30,
    "at 'a': A Number can not be compared with a String: write `::Number` after it.",
  ],
  [
    "coalesce(EVENT_TIME, '2024-01-01') is null",
    31,
    "at '2024-01-01': The values of coalesce must have one type, but this is a String and one before it a Timestamp. Write a cast such as `::String` after one of them.",
  ],
  [
    "any_in_array(EVENT, 1, 'a')",
    33,
    "at 'a': The values of any_in_array must have one type, but this is a String and one before it a Number. Write a cast such as `::String` after one of them.",
  ],
  [
    'any_in_array(EVENT_NAME, 1)',
    23,
    'at EVENT_NAME: The array of any_in_array must be Json, but this is a String: use `to_json(…)` to parse JSON.',
  ],
  [
    'day_part(EVENT:time) = 1',
    19,
    'at EVENT:time: day_part does not convert Json to Timestamp implicitly: write `::Timestamp` after it.',
  ],
  [
    'diff_days(EVENT_TIME, EVENT:time) = 1',
    32,
    'at EVENT:time: diff_days does not convert Json to Timestamp implicitly: write `::Timestamp` after it.',
  ],
  [
    "epoch_ms('2024-01-01') = 1",
    19,
    "at '2024-01-01': The timestamp of epoch_ms must be a Timestamp, but this is a String: write `::Timestamp` after it.",
  ],
  [
    'value_exists(EVENT_NAME)',
    23,
    'at EVENT_NAME: value_exists takes Json, but this is a String: use `is not null`.',
  ],
  [
    "substring(EVENT_NAME) = 'x'",
    10,
    'at substring(EVENT_NAME): substring was called with 1 values: its signature is `substring(string, start [, length])`.',
  ],
  [
    'current_timestamp_ms(1) = 1',
    10,
    'at current_timestamp_ms(1): current_timestamp_ms was called with 1 values: its signature is `current_timestamp_ms()`.',
  ],
  [
    'any_in_array(EVENT)',
    10,
    'at any_in_array(EVENT): any_in_array was called with 1 values: its signature is `any_in_array(array, item, …)`.',
  ],
  [
    'value_exists(EVENT, 1, 2)',
    10,
    'at value_exists(EVENT, 1, 2): value_exists was called with 3 values: its signature is `value_exists(value)`.',
  ],
  [
    'ARRAY_CONTAINS(EVENT, 1)',
    10,
    'at ARRAY_CONTAINS: There is no function ARRAY_CONTAINS: use `any_in_array(array, item)`.',
  ],
  [
    'EVENT_TIME < now()',
    23,
    'at now: There is no function now: use `sec_to_timestamp(current_timestamp_sec())`.',
  ],
  [
    "concat(EVENT_NAME, 'a') = 'a'",
    10,
    'at concat: There is no function concat: concatenate strings with `||`.',
  ],
  [
    "regex_match(EVENT_NAME, 'a')",
    10,
    "at regex_match: There is no function regex_match: use `string rlike s'pattern'`, which must match the whole string.",
  ],
  [
    "start_with(EVENT_NAME, 'a')",
    10,
    'at start_with: There is no function start_with. Did you mean `starts_with`?',
  ],
  ['constructor(EVENT_NAME) = 1', 10, 'at constructor: There is no function constructor.'],
  [
    "EVENT_NAME rlike s'it''s(?=x)'",
    34,
    'at (?=: Patterns have no lookahead or lookbehind. Use several conditions with and, not.',
  ],
  [
    "EVENT_NAME rlike any (s'a', '(a)b++')",
    44,
    'at +: This is repeated already. Patterns have no possessive quantifiers.',
  ],
  ["EVENT_NAME rlike '(a)\\\\1'", 27, "at '(a)\\\\1': Patterns have no backreferences."],
];

describe('conditions', () => {
  test.each(conditions)('%s', (condition, column, expected) => {
    const text = events(condition);
    const errors = analyse(text, sampleCatalogue).problems.filter(({ severity }) => severity === 'error');
    expect(report(text, errors).split('\n')[0]).toBe(`Line 2, column ${column}, ${expected}`);
    expectFixesWork(text);
  });

  test.each([
    [
      'EVENT_NAME = null',
      10,
      'at EVENT_NAME = null: A comparison with null is never true: use `is null`.',
      'EVENT_NAME is null',
    ],
    [
      '(EVENT_NAME) <> (null)',
      10,
      'at (EVENT_NAME) <> (null): A comparison with null is never true: use `is not null`.',
      '(EVENT_NAME) is not null',
    ],
    [
      'EVENT:a < EVENT:b',
      10,
      'at EVENT:a < EVENT:b: Two Json values are compared as strings, where 10 sorts before 9. If they are numbers, write `::Number` after one of them.',
      'EVENT:a < EVENT:b::Number',
    ],
    [
      "EVENT_TIME > 'yesterday'",
      23,
      "at 'yesterday': This string is not a timestamp. Write it as `'2024-05-01T13:00:00Z'` or `'2024-05-01'`.",
      undefined,
    ],
    [
      'case EVENT_NAME when null then true end',
      10,
      'at case EVENT_NAME when null then true end: A comparison with null is never true: use `is null`.',
      undefined,
    ],
    [
      'current_timestamp() > EVENT_TIME',
      10,
      'at current_timestamp(): current_timestamp is deprecated: use `sec_to_timestamp(current_timestamp_sec())`.',
      'sec_to_timestamp(current_timestamp_sec()) > EVENT_TIME',
    ],
  ])('that are allowed but probably unintended: %s', (condition, column, expected, replacement) => {
    const text = events(condition);
    expectReport(text, `Warning: line 2, column ${column}, ${expected}`);
    const [problem] = analyse(text, sampleCatalogue).problems;
    expect(problem?.fix && withFix(text, problem.fix)).toBe(replacement && events(replacement));
  });

  test('report all problems at once, without consequential errors', () => {
    expectReport(
      events(
        "EVENT_NME = 1 and lower(EVENT_NME) || 2 = EVENT_TIME and nope(EVENT_TIME, X) + 1 = 'a' and EVENT_NAME = 5",
      ),
      [
        'Line 2, column 10, at EVENT_NME: CloudTrailRawEvents has no column EVENT_NME. Did you mean `EVENT_NAME`?',
        'Line 2, column 67, at nope: There is no function nope.',
        'Line 2, column 84, at X: CloudTrailRawEvents has no column X.',
        "Line 2, column 114, at 5: A String can not be compared with a Number: write `'5'`.",
      ].join('\n'),
    );
  });
});

describe('excessive queries', () => {
  const nested = (wrap: (inner: string) => string, depth: number) =>
    Array.from({ length: depth }).reduce<string>(wrap, 'INSERT_ID');

  test.each([
    ['between', (inner: string) => `case when ${inner} between 1 and 2 then 1 else 2 end`],
    ['case', (inner: string) => `case ${inner} when 1 then 1 when 2 then 2 end`],
  ])('rejects deep nesting of %s', (_, wrap) => {
    expect(analyse(events(`${nested(wrap, 5)} = 1`), sampleCatalogue).query).toBeDefined();
    expect(reported(events(`${nested(wrap, 40)} = 1`))).toContain('nested too deeply in each other');
  });

  test('rejects more datasources than an engine can plan, over all blocks', () => {
    const block = '{ source { CloudTrailRawEvents } return { INSERT_ID } }';
    const union = (blocks: number) => `union { ${Array.from({ length: blocks }, () => block).join(', ')} }`;
    expect(analyse(union(50), sampleCatalogue).query).toBeDefined();
    expect(reported(union(60)).match(/A query reads at most 50 datasources/g)).toHaveLength(1);
  });

  test('rejects more expansions than a statement can nest', () => {
    const expanding = (count: number) => {
      const expansions = Array.from({ length: count }, (_, at) => `array_to_rows(EVENT:a) as (x${at})`);
      return `{ source { CloudTrailRawEvents, ${expansions.join(', ')} } return { INSERT_ID } }`;
    };
    expect(analyse(expanding(50), sampleCatalogue).query).toBeDefined();
    const report = reported(expanding(52));
    expect(report.match(/A query expands at most 50 arrays/g)).toHaveLength(1);
    expect(report).toContain('at array_to_rows(EVENT:a) as (x50)');
  });

  test.each([
    ['sums', 'INSERT_ID + 1 = 2', 1],
    ['negative values', '- INSERT_ID = 2', 1],
    ['paths', "EVENT:a.b = 'x'", 1],
    ['ranges', 'INSERT_ID between 1 and 2', 4],
    ['numbers in JSON', 'EVENT = 1', 1],
    ['casts to a number', 'EVENT_NAME::Number = INSERT_ID', 1],
    ['timestamps', "EVENT_TIME > '2024-05-01'", 4],
    ['timestamp strings in a list', "EVENT_TIME in ('2024-05-01')", 4],
    ['long numbers in a list', 'INSERT_ID in (9007199254740993)', 1],
    ['calls', "lower(EVENT_NAME) = 'x'", 1],
    ['networks', "ip_contains('10.0.0.0/8', EVENT_NAME)", 8],
    ['numbers looked for in a list', 'any_in_array(EVENT, 1, 2)', 5],
    ['cases of a number', "case EVENT when 1 then 'x' when 2 then 'y' end = 'x'", 2],
  ])('rejects thousands of %s at the first excess one', (_, condition, count) => {
    const repeated = (times: number) => events(Array.from({ length: times }, () => condition).join(' or '));
    expect(analyse(repeated(1_000 / count), sampleCatalogue).query).toBeDefined();
    const report = reported(repeated(1_000 / count + 2));
    expect(report.match(/A query has at most 1000 operations: /g)).toHaveLength(1);
    expect(report).toMatch(/^Line \d+, column \d+, at /);
  });

  test('rejects too many columns', () => {
    const returning = (count: number) => {
      const columns = Array.from({ length: count }, (_, at) => `INSERT_ID as C${at}`);
      return `{ source { CloudTrailRawEvents } return { ${columns.join(', ')} } }`;
    };
    expect(analyse(returning(1_000), sampleCatalogue).query).toBeDefined();
    const report = reported(returning(1_002));
    expect(report.match(/A query returns at most 1000 columns/g)).toHaveLength(1);
    expect(report).toContain('at INSERT_ID as C1000');
  });

  test('reports only the first hundred of thousands of errors', () => {
    const invalid = Array.from({ length: 4000 }, (_, number) => `x${number} = 1`).join(' and ');
    expect(analyse(events(invalid), sampleCatalogue).problems.length).toBe(100);
  });
});
