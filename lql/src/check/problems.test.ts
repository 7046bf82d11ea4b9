import { describe, expect, test } from 'vitest';
import { analyse } from '../analyse.ts';
import { sampleCatalogue } from '../catalogue/catalogue.sample.ts';
import type { Fix } from '../text/problem.ts';
import { report } from '../text/report.ts';

const reported = (text: string) => report(text, analyse(text, sampleCatalogue).problems);
const mended = (text: string, { start, end, text: instead }: Fix) =>
  text.slice(0, start) + instead + text.slice(end);

/** Where a fix is offered, it makes an end of the complaint. */
function expectMends(text: string): void {
  for (const { fix, message, start } of analyse(text, sampleCatalogue).problems) {
    const left = fix ? analyse(mended(text, fix), sampleCatalogue).problems : [];
    expect(left.filter((problem) => problem.message === message && problem.start === start)).toEqual([]);
  }
}

function expectReport(text: string, expected: string): void {
  const { query, problems } = analyse(text, sampleCatalogue);
  expect(report(text, problems)).toBe(expected);
  expect(query === undefined).toBe(problems.some(({ severity }) => severity === 'error'));
  expectMends(text);
}

const users = (clauses: string) => `{ source { LW_HE_USERS u }\n${clauses} }`;
const events = (condition: string) =>
  `{ source { CloudTrailRawEvents }\nfilter { ${condition} }\nreturn { INSERT_ID } }`;

describe('sources', () => {
  test.each([
    ['LW_HE_FILE', 'at LW_HE_FILE: There is no datasource LW_HE_FILE. Did you mean `LW_HE_FILES`?'],
    [
      'cloudtrailrawevents',
      'at cloudtrailrawevents: There is no datasource cloudtrailrawevents. Names are case-sensitive: write `CloudTrailRawEvents`.',
    ],
    ['Nothing_Like_It', 'at Nothing_Like_It: There is no datasource Nothing_Like_It.'],
    [
      'LW_HE_USERS a, array_to_rows(a.USERNAME) x',
      'at a.USERNAME: Only Json has items that make rows; this is a String: use `to_json(…)`, which reads JSON text.',
    ],
    [
      'LW_HE_USERS a, array_to_rows(b.OTHER_GROUP_NAMES) x, LW_HE_FILES b',
      'at b: b comes later in `source`: an expansion can only use what is named before it.',
    ],
    [
      'array_to_rows(x) x, LW_HE_USERS',
      'at array_to_rows(x) x: The first source must be a datasource: name it before what is expanded of it.',
    ],
    [
      'LW_HE_PROCESSES with LW_HE_USERS LW_HE_PROCESSES',
      'at LW_HE_PROCESSES: Two sources are called LW_HE_PROCESSES: give one of them another name, as in `LW_HE_PROCESSES other`.',
    ],
    [
      'LW_CE_IDENTITIES a with LW_HE_FILES b',
      'at LW_HE_FILES: Cannot find defined relationships from LW_CE_IDENTITIES to LW_HE_FILES. LW_CE_IDENTITIES has no relationships.',
    ],
    [
      'LW_HE_FILES a with LW_HE_USERS b',
      'at LW_HE_USERS: Cannot find defined relationships from LW_HE_FILES to LW_HE_USERS. LW_HE_FILES is related to LW_HE_MACHINES.',
    ],
    [
      'LW_HE_USERS a with LW_HE_PROCESSES b',
      'at LW_HE_PROCESSES: Cannot find defined relationships from LW_HE_USERS to LW_HE_PROCESSES. There is one from LW_HE_PROCESSES to LW_HE_USERS: write `LW_HE_PROCESSES` first.',
    ],
    [
      "LW_HE_FILES a with LW_HE_MACHINES b on 'host'",
      "at 'host': Cannot find defined relationships from LW_HE_FILES to LW_HE_MACHINES with the name 'host'. There is: '(default)'.",
    ],
    [
      'LW_HE_PROCESSES a with LW_HE_PROCESSES b',
      "at LW_HE_PROCESSES: Cannot find defined relationships from LW_HE_PROCESSES to LW_HE_PROCESSES that need no name. Name one of these with `on`: 'parent'.",
    ],
  ])('%s', (source, expected) => {
    const text = `{\n  source { ${source} }\n  return { 1 as ONE } }`;
    const said = reported(text)
      .split('\n')
      .filter((line) => !line.startsWith('Warning'));
    expect(said).toEqual([expect.stringMatching(/^Line 2, column \d+, at /)]);
    expect(said[0]?.replace(/^Line 2, column \d+, /, '')).toBe(expected);
    expectMends(text);
  });

  test('that nothing relates are worth a warning', () => {
    expectReport(
      '{ source { LW_HE_USERS, LW_HE_FILES f } return { HOME_DIR } }',
      'Warning: line 1, column 25, at LW_HE_FILES: Nothing relates LW_HE_FILES to the sources before it, so that each of its rows comes with each of theirs. Use `with` for rows that belong together.',
    );
  });

  test('that are not known make no trouble further on', () => {
    expectReport(
      "{ source { LW_HE_USER a with LW_HE_MACHINES m, array_to_rows(a.X) y } filter { a.B = 1 and C + 'x' > y:z and m.D } return { a.*, E } }",
      [
        'Line 1, column 12, at LW_HE_USER: There is no datasource LW_HE_USER. Did you mean `LW_HE_USERS`?',
        'Line 1, column 112, at D: m has no column D.',
      ].join('\n'),
    );
  });
});

describe('names', () => {
  test.each([
    [
      'username',
      'Line 2, column 10, at username: u has no column username. Names are case-sensitive: write `USERNAME`.',
    ],
    ['u.HOMEDIR', 'Line 2, column 12, at HOMEDIR: u has no column HOMEDIR. Did you mean `HOME_DIR`?'],
    ['v.MID', 'Line 2, column 10, at v: No source is called v. There is u.'],
    ['users.MID', 'Line 2, column 10, at users: No source is called users. There is u.'],
    ['LW_HE_USERS.MID', 'Line 2, column 10, at LW_HE_USERS: LW_HE_USERS is called u here: write `u`.'],
    ['u', 'Line 2, column 10, at u: u is a source, not a column: write `u.` and one of its columns.'],
    ['w.*', 'Line 2, column 10, at w: No source is called w. There is u.'],
    [
      'tcp as P',
      "Line 2, column 10, at tcp: u has no column tcp. If a text is meant, write it in quotes: `'tcp'`.",
    ],
    ['XYZ, XYZ as B', 'Line 2, column 10, at XYZ: u has no column XYZ.'],
  ])('%s', (item, expected) => {
    expectReport(users(`return { ${item} }`), expected);
  });

  test('that several sources have must say which is meant', () => {
    expectReport(
      '{ source { LW_HE_FILES f with LW_HE_MACHINES m, array_to_rows(TAGS) PATH }\nreturn { MID, PATH } }',
      [
        'Line 2, column 10, at MID: MID is in several sources: write `f.MID` or `m.MID`.',
        'Line 2, column 15, at PATH: PATH is in several sources: write `f.PATH` or `PATH.PATH`.',
      ].join('\n'),
    );
  });

  test('of the query around are not seen by one in braces', () => {
    expectReport(
      users(
        'filter { MID in { source { LW_HE_FILES f } filter { USERNAME = PATH and u.MID = 1 } return { MID } } }\nreturn { MID }',
      ),
      [
        'Line 2, column 53, at USERNAME: USERNAME belongs to the query around this one. A query in braces sees its own sources only.',
        'Line 2, column 73, at u: u belongs to the query around this one. A query in braces sees its own sources only.',
      ].join('\n'),
    );
  });
});

describe('results', () => {
  test.each([
    [
      'lower(USERNAME)',
      'Line 2, column 10, at lower(USERNAME): This needs a name in the result: write `as` and a name after it.',
    ],
    [
      'OTHER_GROUP_NAMES:a::String',
      'Line 2, column 10, at OTHER_GROUP_NAMES:a::String: This needs a name in the result: write `as` and a name after it.',
    ],
    [
      'MID, u.MID',
      'Line 2, column 15, at u.MID: Two columns of the result are called MID. Give one another name with `as`.',
    ],
    [
      'OTHER_GROUP_NAMES, OTHER_GROUP_NAMES:a',
      'Line 2, column 29, at OTHER_GROUP_NAMES:a: Two columns of the result are called OTHER_GROUP_NAMES. A path is named after its column. Give one another name with `as`.',
    ],
    [
      'MID, USERNAME, u.*',
      'Line 2, column 25, at u.*: Several columns of the result have the same name: MID, USERNAME. Return them one by one, with `as`.',
    ],
    [
      'MID = 1 as A',
      "Line 2, column 10, at MID = 1: A Boolean can not be returned: use `case when … then 'true' else 'false' end`.",
    ],
    [
      '(MID, USERNAME) as A',
      'Line 2, column 10, at (MID, USERNAME): Several values in parentheses may only stand before `in { … }`.',
    ],
  ])('%s', (items, expected) => {
    expectReport(users(`return { ${items} }`), expected);
  });
});

describe('unions', () => {
  test('of other names and types are refused', () => {
    expectReport(
      'union { { source { LW_HE_USERS } return { MID, USERNAME } },\n{ source { LW_HE_USERS } return { USERNAME as MID, HOME_DIR } } }',
      [
        'Line 2, column 35, at USERNAME: MID is a String here and a Number in the blocks before: all blocks of a union return the same columns. Write `::Number` after it.',
        'Line 2, column 35, at USERNAME as MID: The first block of the union returns USERNAME too, and all blocks must return the same columns.',
        'Line 2, column 52, at HOME_DIR: The first block of the union does not return HOME_DIR: all blocks must return the same columns. Use `as` where only the name differs.',
      ].join('\n'),
    );
  });
});

/** What is said of a condition that begins at line 2, column 10. */
const conditions: readonly (readonly [condition: string, column: number, expected: string])[] = [
  [
    'INSERT_ID',
    10,
    'at INSERT_ID: What `filter` holds must be a Boolean, but this is a Number: compare it with a value.',
  ],
  [
    'EVENT:a and EVENT_NAME',
    22,
    'at EVENT_NAME: A side of `and` must be a Boolean, but this is a String: compare it with a value.',
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
  ["EVENT_NAME in ('a', null)", 30, 'at null: A list can not hold null: take it out and add `or … is null`.'],
  [
    "INSERT_ID in ('a')",
    10,
    "at INSERT_ID in ('a'): A Number is never one of a list of Strings: write values of type Number, or `::String` before `in`.",
  ],
  [
    'INSERT_ID in { source { LW_HE_USERS } return { USERNAME } }',
    10,
    'at INSERT_ID: A Number is never one of USERNAME, which is a String: write `::String` after it.',
  ],
  [
    'INSERT_ID in { source { LW_HE_USERS } return { MID, USERNAME } }',
    10,
    'at INSERT_ID: Left of `in` there is 1 value, but the query in braces returns 2. Write as many in parentheses, as in `(A, B) in { … }`.',
  ],
  [
    '(INSERT_ID, EVENT) in { source { LW_HE_USERS } return { MID } }',
    10,
    'at (INSERT_ID, EVENT): Left of `in` there are 2 values, but the query in braces returns 1. They must be as many.',
  ],
  [
    "INSERT_ID like '1%'",
    10,
    'at INSERT_ID: What `like` looks at must be a String, but this is a Number: write `::String` after it.',
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
  ["EVENT_NAME + 'x' = 'y'", 10, "at EVENT_NAME + 'x': Texts are joined by `||`, not by `+`."],
  [
    "INSERT_ID || 1 = 'x'",
    10,
    'at INSERT_ID: What `||` joins must be a String, but this is a Number: write `::String` after it.',
  ],
  [
    'EVENT_TIME - 1 > EVENT_TIME',
    10,
    'at EVENT_TIME - 1: There is no arithmetic with Timestamps: use `add_days(count, moment)` and the like to move one, `diff_days(from, to)` and the like for the time between two.',
  ],
  [
    '1 * EVENT_NAME = 2',
    14,
    'at EVENT_NAME: A side of `*` must be a Number, but this is a String: write `::Number` after it.',
  ],
  [
    '-is_array(EVENT) = 1',
    11,
    'at is_array(EVENT): What follows `-` must be a Number, but this is a Boolean: use `case when … then 1 else 0 end`.',
  ],
  [
    "EVENT_NAME:a = 'x'",
    10,
    'at EVENT_NAME:a: Only Json has keys, and this is a String: use `to_json(…)`, which reads JSON text.',
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
    'at EVENT_NAME: What follows `when` must be a Boolean, but this is a String: compare it with a value.',
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
    'at EVENT_NAME: The list of any_in_array must be Json, but this is a String: use `to_json(…)`, which reads JSON text.',
  ],
  [
    'day_part(EVENT:time) = 1',
    19,
    'at EVENT:time: day_part does not convert Json to Timestamp by itself: write `::Timestamp` after it.',
  ],
  [
    'diff_days(EVENT_TIME, EVENT:time) = 1',
    32,
    'at EVENT:time: diff_days does not convert Json to Timestamp by itself: write `::Timestamp` after it.',
  ],
  [
    "epoch_ms('2024-01-01') = 1",
    19,
    "at '2024-01-01': The moment of epoch_ms must be a Timestamp, but this is a String: write `::Timestamp` after it.",
  ],
  [
    'value_exists(EVENT_NAME)',
    23,
    'at EVENT_NAME: value_exists looks into Json, but this is a String: use `is not null`.',
  ],
  [
    "substring(EVENT_NAME) = 'x'",
    10,
    'at substring(EVENT_NAME): substring is given 1 values, but is written `substring(text, start [, length])`.',
  ],
  [
    'current_timestamp_ms(1) = 1',
    10,
    'at current_timestamp_ms(1): current_timestamp_ms is given 1 values, but is written `current_timestamp_ms()`.',
  ],
  [
    'any_in_array(EVENT)',
    10,
    'at any_in_array(EVENT): any_in_array is given 1 values, but is written `any_in_array(list, item, …)`.',
  ],
  [
    'value_exists(EVENT, 1, 2)',
    10,
    'at value_exists(EVENT, 1, 2): value_exists is given 3 values, but is written `value_exists(value)`.',
  ],
  [
    'ARRAY_CONTAINS(EVENT, 1)',
    10,
    'at ARRAY_CONTAINS: There is no function ARRAY_CONTAINS: use `any_in_array(list, item)`.',
  ],
  [
    'EVENT_TIME < now()',
    23,
    'at now: There is no function now: use `sec_to_timestamp(current_timestamp_sec())`.',
  ],
  ["concat(EVENT_NAME, 'a') = 'a'", 10, 'at concat: There is no function concat: join texts by `||`.'],
  [
    "regex_match(EVENT_NAME, 'a')",
    10,
    "at regex_match: There is no function regex_match: use `text rlike s'pattern'`, which must fit the whole text.",
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
    'at (?=: Patterns can not look ahead or behind. Split this into several conditions with and, not.',
  ],
  [
    "EVENT_NAME rlike any (s'a', '(a)b++')",
    44,
    'at +: This repeats what is repeated already. Patterns have no possessive repetition.',
  ],
  ["EVENT_NAME rlike '(a)\\\\1'", 27, "at '(a)\\\\1': Patterns can not refer back to what a group matched."],
];

describe('conditions', () => {
  test.each(conditions)('%s', (condition, column, expected) => {
    const text = events(condition);
    const errors = analyse(text, sampleCatalogue).problems.filter(({ severity }) => severity === 'error');
    expect(report(text, errors).split('\n')[0]).toBe(`Line 2, column ${column}, ${expected}`);
    expectMends(text);
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
      'at EVENT:a < EVENT:b: Two Json values are compared by their text, where 10 comes before 9. If they are numbers, write `::Number` after one of them.',
      'EVENT:a < EVENT:b::Number',
    ],
    [
      "EVENT_TIME > 'yesterday'",
      23,
      "at 'yesterday': This text is no moment. Write it as `'2024-05-01T13:00:00Z'` or `'2024-05-01'`.",
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
  ])('that are allowed, but hardly meant: %s', (condition, column, expected, instead) => {
    const text = events(condition);
    expectReport(text, `Warning: line 2, column ${column}, ${expected}`);
    const [problem] = analyse(text, sampleCatalogue).problems;
    expect(problem?.fix && mended(text, problem.fix)).toBe(instead && events(instead));
  });

  test('report all that is wrong in one go, and nothing that only follows from it', () => {
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

describe('what would never end', () => {
  const nested = (wrap: (inner: string) => string, depth: number) =>
    Array.from({ length: depth }).reduce<string>(wrap, 'INSERT_ID');

  test.each([
    ['between', (inner: string) => `case when ${inner} between 1 and 2 then 1 else 2 end`],
    ['case', (inner: string) => `case ${inner} when 1 then 1 when 2 then 2 end`],
  ])('is refused: %s inside itself, again and again', (_, wrap) => {
    expect(analyse(events(`${nested(wrap, 5)} = 1`), sampleCatalogue).query).toBeDefined();
    expect(reported(events(`${nested(wrap, 40)} = 1`))).toContain('repeated inside each other too often');
  });

  test('is a report of ten thousand mistakes: it stops, and soon', () => {
    const wrong = Array.from({ length: 4000 }, (_, number) => `x${number} = 1`).join(' and ');
    expect(analyse(events(wrong), sampleCatalogue).problems.length).toBe(100);
  });
});
