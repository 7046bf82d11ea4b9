import { describe, expect, test } from 'vitest';
import { expectFixesWork, expectReport, reported } from './report.sample.ts';

const users = (clauses: string) => `{ source { LW_HE_USERS u }\n${clauses} }`;

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
      'at a.USERNAME: Only Json can be expanded; this is a String: use `to_json(…)` to parse JSON.',
    ],
    [
      'LW_HE_USERS a, array_to_rows(b.OTHER_GROUP_NAMES) x, LW_HE_FILES b',
      'at b: b comes later in `source`: an expansion can only use sources before it.',
    ],
    [
      'array_to_rows(x) x, LW_HE_USERS',
      'at array_to_rows(x) x: The first source must be a datasource: expansions come after it.',
    ],
    [
      'LW_HE_PROCESSES with LW_HE_USERS LW_HE_PROCESSES',
      'at LW_HE_PROCESSES: Two sources are named LW_HE_PROCESSES: give one an alias, as in `LW_HE_PROCESSES other`.',
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
    const errors = reported(text)
      .split('\n')
      .filter((line) => !line.startsWith('Warning'));
    expect(errors).toEqual([expect.stringMatching(/^Line 2, column \d+, at /)]);
    expect(errors[0]?.replace(/^Line 2, column \d+, /, '')).toBe(expected);
    expectFixesWork(text);
  });

  test('without a relationship give a warning', () => {
    expectReport(
      '{ source { LW_HE_USERS, LW_HE_FILES f } return { HOME_DIR } }',
      'Warning: line 1, column 25, at LW_HE_FILES: LW_HE_FILES is not related to the sources before it, so the result is a cross join. Use `with` to join related rows.',
    );
  });

  test('that are unknown cause no consequential errors', () => {
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
    ['v.MID', 'Line 2, column 10, at v: There is no source v. There is u.'],
    ['users.MID', 'Line 2, column 10, at users: There is no source users. There is u.'],
    ['LW_HE_USERS.MID', 'Line 2, column 10, at LW_HE_USERS: LW_HE_USERS is called u here: write `u`.'],
    ['u', 'Line 2, column 10, at u: u is a source, not a column: write `u.` and one of its columns.'],
    ['w.*', 'Line 2, column 10, at w: There is no source w. There is u.'],
    [
      'tcp as P',
      "Line 2, column 10, at tcp: u has no column tcp. If a string is meant, write it in quotes: `'tcp'`.",
    ],
    ['XYZ, XYZ as B', 'Line 2, column 10, at XYZ: u has no column XYZ.'],
  ])('%s', (item, expected) => {
    expectReport(users(`return { ${item} }`), expected);
  });

  test('that several sources have must be qualified', () => {
    expectReport(
      '{ source { LW_HE_FILES f with LW_HE_MACHINES m, array_to_rows(TAGS) PATH }\nreturn { MID, PATH } }',
      [
        'Line 2, column 10, at MID: MID is in several sources: write `f.MID` or `m.MID`.',
        'Line 2, column 15, at PATH: PATH is in several sources: write `f.PATH` or `PATH.PATH`.',
      ].join('\n'),
    );
  });

  test('of the enclosing query are not visible in a subquery', () => {
    expectReport(
      users(
        'filter { MID in { source { LW_HE_FILES f } filter { USERNAME = PATH and u.MID = 1 } return { MID } } }\nreturn { MID }',
      ),
      [
        'Line 2, column 53, at USERNAME: USERNAME belongs to the enclosing query. A subquery in braces can only use its own sources.',
        'Line 2, column 73, at u: u belongs to the enclosing query. A subquery in braces can only use its own sources.',
      ].join('\n'),
    );
  });
});

describe('results', () => {
  test.each([
    [
      'lower(USERNAME)',
      'Line 2, column 10, at lower(USERNAME): This result column needs a name: write `as` and a name after it.',
    ],
    [
      'OTHER_GROUP_NAMES:a::String',
      'Line 2, column 10, at OTHER_GROUP_NAMES:a::String: This result column needs a name: write `as` and a name after it.',
    ],
    ['MID, u.MID', 'Line 2, column 15, at u.MID: Two result columns are called MID. Rename one with `as`.'],
    [
      'OTHER_GROUP_NAMES, OTHER_GROUP_NAMES:a',
      'Line 2, column 29, at OTHER_GROUP_NAMES:a: Two result columns are called OTHER_GROUP_NAMES. A path is named after its column. Rename one with `as`.',
    ],
    [
      'MID, USERNAME, u.*',
      'Line 2, column 25, at u.*: Several result columns have the same name: MID, USERNAME. Return them one by one, with `as`.',
    ],
    [
      'MID = 1 as A',
      "Line 2, column 10, at MID = 1: A Boolean can not be returned: use `case when … then 'true' else 'false' end`.",
    ],
    [
      '(MID, USERNAME) as A',
      'Line 2, column 10, at (MID, USERNAME): Several values in parentheses are only allowed before `in { … }`.',
    ],
  ])('%s', (items, expected) => {
    expectReport(users(`return { ${items} }`), expected);
  });
});

describe('unions', () => {
  test('with different names and types are rejected', () => {
    expectReport(
      'union { { source { LW_HE_USERS } return { MID, USERNAME } },\n{ source { LW_HE_USERS } return { USERNAME as MID, HOME_DIR } } }',
      [
        'Line 2, column 35, at USERNAME: MID is a String here and a Number in the blocks before: all blocks of a union return the same columns. Write `::Number` after it.',
        'Line 2, column 35, at USERNAME as MID: The first block of the union also returns USERNAME, and all blocks must return the same columns.',
        'Line 2, column 52, at HOME_DIR: The first block of the union does not return HOME_DIR: all blocks must return the same columns. Use `as` if only the name differs.',
      ].join('\n'),
    );
  });
});
