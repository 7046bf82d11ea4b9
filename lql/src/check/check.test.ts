import { describe, expect, test } from 'vitest';
import { analyse } from '../analyse.ts';
import { sampleCatalogue } from '../catalogue/catalogue.sample.ts';
import { report } from '../text/report.ts';
import type { CheckedBlock, CheckedExpression, CheckedQuery } from './checked.ts';

function checked(text: string): CheckedQuery {
  const { query, problems } = analyse(text, sampleCatalogue);
  if (!query) throw new Error(report(text, problems));
  return query;
}

/** A checked expression in short form: conversions are `type(…)`, columns `source.name`. */
function short(value: CheckedExpression): string {
  switch (value.kind) {
    case 'constant':
      return value.type === 'String' ? `'${value.value}'` : String(value.value);
    case 'column':
      return `${value.source}.${value.column}`;
    case 'item':
      return `${value.source}`;
    case 'path':
      return `${short(value.of)}:${value.keys.join('.')}`;
    case 'conversion':
      return `${value.type.toLowerCase()}(${short(value.of)})`;
    case 'call':
      return `${value.name}(${value.values.map(short).join(', ')})`;
    case 'case':
      return `case ${value.branches.map(({ when, then }) => `${short(when)}: ${short(then)}`).join('; ')} else ${value.otherwise ? short(value.otherwise) : '-'}`;
    case 'negative':
      return `-${short(value.of)}`;
    case 'arithmetic':
    case 'comparison':
      return `(${short(value.left)} ${value.operator} ${short(value.right)})`;
    case 'concatenation':
      return `(${short(value.left)} || ${short(value.right)})`;
    case 'inList':
      return `${short(value.value)} in [${value.values.map(short).join(', ')}]`;
    case 'inSubquery':
      return `[${value.values.map(short).join(', ')}] in ${shortBlock(value.block)}`;
    case 'pattern':
      return `${short(value.value)} ${value.operator} [${value.patterns.map(short).join(', ')}]`;
    case 'nullTest':
      return `${value.json ? 'json ' : ''}null? ${short(value.value)}`;
    case 'not':
      return `not ${short(value.of)}`;
    case 'logical':
      return `(${value.values.map(short).join(` ${value.operator} `)})`;
  }
}

function shortBlock({ sources, filter, distinct, returned }: CheckedBlock): string {
  const from = sources.map((source) => {
    if (source.kind === 'expanded')
      return `${source.nonEmpty ? 'items' : 'items or null'} of ${short(source.array)}`;
    if (source.kind === 'table') return source.datasource.name;
    return `${source.datasource.name} of ${source.from} by ${source.relationship.name}`;
  });
  const columns = returned.map(({ name, value }) => `${name}=${short(value)}`).join(', ');
  return `{${from.join('; ')}${filter ? ` | ${short(filter)}` : ''} | ${distinct ? 'distinct ' : ''}${columns}}`;
}

const typesOf = (text: string) =>
  checked(text)
    .columns.map(({ name, type }) => `${name} ${type}`)
    .join(', ');
const only = ({ blocks }: CheckedQuery) => blocks[0] as CheckedBlock;

describe('result columns', () => {
  test.each([
    ['columns by their names', 'LW_HE_USERS u', 'MID, u.USERNAME', 'MID Number, USERNAME String'],
    ['a path after its column', 'CloudTrailRawEvents', 'EVENT:a."b".c', 'EVENT Json'],
    ['a path of an item after the item', 'LW_HE_USERS, array_to_rows(OTHER_GROUP_NAMES) g', 'g:a', 'g Json'],
    [
      'an item by its name',
      'LW_HE_USERS, array_to_rows(OTHER_GROUP_NAMES) as t(g)',
      't.g, g as h',
      'g Json, h Json',
    ],
    [
      'expressions by an alias',
      'LW_HE_USERS',
      "MID + 1 as A, 'x' B, MID::Timestamp as C",
      'A Number, B String, C Timestamp',
    ],
    ['null as a String', 'LW_HE_USERS', 'null as A, coalesce(null, null) as B', 'A String, B String'],
    [
      'all columns of a source',
      'CloudTrailRawEvents e',
      'e.*, 1 as ONE',
      'INSERT_ID Number, INSERT_TIME Timestamp, EVENT_TIME Timestamp, EVENT Json, EVENT_SOURCE String, EVENT_NAME String, ERROR_CODE String, ONE Number',
    ],
    ['the item of an expansion', 'LW_HE_USERS, array_to_rows(OTHER_GROUP_NAMES) g', 'g.*', 'g Json'],
  ])('%s', (_, source, items, columns) => {
    expect(typesOf(`{ source { ${source} } return { ${items} } }`)).toBe(columns);
  });
});

describe('sources', () => {
  test.each([
    [
      'LW_HA_FILE_CHANGES c with LW_HE_FILES f with LW_HE_MACHINES m',
      'LW_HA_FILE_CHANGES; LW_HE_FILES of 0 by (default); LW_HE_MACHINES of 1 by (default)',
    ],
    [
      "LW_HE_MACHINES m with (LW_HE_FILES f on '(default)', LW_HE_PROCESSES p with LW_HE_USERS u)",
      'LW_HE_MACHINES; LW_HE_FILES of 0 by (default); LW_HE_PROCESSES of 0 by (default); LW_HE_USERS of 2 by (default)',
    ],
    [
      "LW_HE_PROCESSES p with LW_HE_PROCESSES q on 'parent'",
      'LW_HE_PROCESSES; LW_HE_PROCESSES of 0 by parent',
    ],
    [
      'LW_CFG_AWS_LAMBDA a, array_to_rows(a.RESOURCE_CONFIG:Layers) as (l), array_to_rows_non_empty(l:Tags) t',
      'LW_CFG_AWS_LAMBDA; items or null of 0.RESOURCE_CONFIG:Layers; items of 1:Tags',
    ],
    [
      'LW_HE_CONTAINERS c, array_to_rows(to_json(NETWORK_MODE):items) i',
      'LW_HE_CONTAINERS; items or null of to_json(0.NETWORK_MODE):items',
    ],
    ['LW_HE_CONTAINERS, LW_HE_USERS u', 'LW_HE_CONTAINERS; LW_HE_USERS'],
  ])('%s', (source, expected) => {
    expect(shortBlock(only(checked(`{ source { ${source} } return { 1 as ONE } }`)))).toBe(
      `{${expected} | ONE=1}`,
    );
  });

  test('of a subquery are its own, even with the names of the enclosing query', () => {
    const text =
      '{ source { LW_HE_PROCESSES p } filter { (p.MID, PPID_HASH) in { source { LW_HE_PROCESSES p } return { p.MID, PID_HASH } } } return { p.PID } }';
    expect(shortBlock(only(checked(text)))).toBe(
      '{LW_HE_PROCESSES | [0.MID, 0.PPID_HASH] in {LW_HE_PROCESSES | MID=0.MID, PID_HASH=0.PID_HASH} | PID=0.PID}',
    );
  });
});

/** In the scope of a CloudTrail event and an item `x` of it. */
const conditions: readonly (readonly [string, string])[] = [
  ["EVENT:a = 'x'", "(string(0.EVENT:a) = 'x')"],
  ['EVENT:a = 445', '(number(0.EVENT:a) = 445)'],
  ['true <> EVENT:a', '(true <> boolean(0.EVENT:a))'],
  ['EVENT:a < EVENT_TIME', '(timestamp(0.EVENT:a) < 0.EVENT_TIME)'],
  ['EVENT:a = EVENT:b', '(string(0.EVENT:a) = string(0.EVENT:b))'],
  ['EVENT:a = ERROR_CODE', '(string(0.EVENT:a) = 0.ERROR_CODE)'],
  ["EVENT_TIME > '2024-01-01'", "(0.EVENT_TIME > timestamp('2024-01-01'))"],
  ["'2024-01-01T00:00:00Z' <= EVENT_TIME", "(timestamp('2024-01-01T00:00:00Z') <= 0.EVENT_TIME)"],
  ['EVENT:a::Boolean = false', '(boolean(0.EVENT:a) = false)'],
  ['EVENT_NAME = null', '(0.EVENT_NAME = null)'],
  ["EVENT = '{}'", "(string(0.EVENT) = '{}')"],
  ['INSERT_ID = 9007199254740993', '(0.INSERT_ID = 9007199254740993)'],
  ['EVENT_NAME::String = EVENT_NAME', '(0.EVENT_NAME = 0.EVENT_NAME)'],
  [
    'INSERT_ID::Timestamp > EVENT_TIME::String::Timestamp',
    '(timestamp(0.INSERT_ID) > timestamp(string(0.EVENT_TIME)))',
  ],
  ['EVENT:a', 'boolean(0.EVENT:a)'],
  ['null', 'boolean(null)'],
  ['not EVENT:a and EVENT_NAME is null or true', '((not boolean(0.EVENT:a) and null? 0.EVENT_NAME) or true)'],
  ['EVENT:a is not json null', 'not json null? 0.EVENT:a'],
  ['EVENT:a between 1 and x:b', '((number(0.EVENT:a) >= 1) and (string(0.EVENT:a) <= string(1:b)))'],
  ['INSERT_ID not between 1 and 2', 'not ((0.INSERT_ID >= 1) and (0.INSERT_ID <= 2))'],
  ['EVENT:a in (401, -403)', 'number(0.EVENT:a) in [401, -403]'],
  ["EVENT_TIME not in ('2024-01-01')", "not 0.EVENT_TIME in [timestamp('2024-01-01')]"],
  ['EVENT:a in (true)', 'boolean(0.EVENT:a) in [true]'],
  ["null in ('a')", "string(null) in ['a']"],
  ["x like any ('a%', EVENT:b, null)", "string(1) like ['a%', string(0.EVENT:b), string(null)]"],
  [
    "EVENT_NAME not rlike s'(?i)get[[:alpha:]]+\\.x{2,5}'",
    "not 0.EVENT_NAME rlike ['(?i)get[[:alpha:]]+\\.x{2,5}']",
  ],
  ['-EVENT:a + 1 > INSERT_ID * null', '((-number(0.EVENT:a) + 1) > (0.INSERT_ID * number(null)))'],
  ["EVENT_NAME || EVENT:a = 'x'", "((0.EVENT_NAME || string(0.EVENT:a)) = 'x')"],
  ['CONTAINS(EVENT, lower(EVENT:a))', 'contains(string(0.EVENT), lower(string(0.EVENT:a)))'],
  ['length(EVENT) > 10', '(length(string(0.EVENT)) > 10)'],
  [
    'add_days(EVENT:n, EVENT:t) > EVENT_TIME',
    '(add_days(number(0.EVENT:n), timestamp(0.EVENT:t)) > 0.EVENT_TIME)',
  ],
  [
    'diff_minutes(EVENT_TIME, EVENT:t::timestamp) < 5',
    '(diff_minutes(0.EVENT_TIME, timestamp(0.EVENT:t)) < 5)',
  ],
  ['day_part(null) = 1', '(day_part(timestamp(null)) = 1)'],
  ["coalesce(EVENT:a, 'x', null) = 'y'", "(coalesce(string(0.EVENT:a), 'x', string(null)) = 'y')"],
  ['coalesce(EVENT:a, x:b):c is null', 'null? coalesce(0.EVENT:a, 1:b):c'],
  ['coalesce(EVENT:a, false)', 'coalesce(boolean(0.EVENT:a), false)'],
  [
    "any_in_array(EVENT:l, 'a', EVENT_NAME, x, null)",
    "any_in_array(0.EVENT:l, 'a', 0.EVENT_NAME, string(1), string(null))",
  ],
  ['any_in_array(EVENT:l, null)', 'any_in_array(0.EVENT:l, json(null))'],
  ['value_exists(null:a)', 'value_exists(json(null):a)'],
  ['case when EVENT:a then 1 else x end = 2', '(case boolean(0.EVENT:a): 1 else number(1) = 2)'],
  [
    "case EVENT:a when 1 then 'a' when 'b' then null end = 'a'",
    "(case (number(0.EVENT:a) = 1): 'a'; (string(0.EVENT:a) = 'b'): string(null) else - = 'a')",
  ],
  ['case when true then null end is null', 'null? null'],
  [
    'EVENT:a in { source { LW_HE_USERS } return { MID } }',
    '[number(0.EVENT:a)] in {LW_HE_USERS | MID=0.MID}',
  ],
  [
    'EVENT_NAME in { source { LW_HE_USERS } return { OTHER_GROUP_NAMES } }',
    '[0.EVENT_NAME] in {LW_HE_USERS | OTHER_GROUP_NAMES=string(0.OTHER_GROUP_NAMES)}',
  ],
  [
    'EVENT not in { source { LW_HE_USERS } return { OTHER_GROUP_NAMES } }',
    'not [string(0.EVENT)] in {LW_HE_USERS | OTHER_GROUP_NAMES=string(0.OTHER_GROUP_NAMES)}',
  ],
  [
    "('2024-01-01', null) in { source { LW_HE_USERS } return { BATCH_END_TIME, null as N } }",
    "[timestamp('2024-01-01'), string(null)] in {LW_HE_USERS | BATCH_END_TIME=0.BATCH_END_TIME, N=string(null)}",
  ],
];

describe('conditions, with conversions', () => {
  test.each(conditions)('%s', (condition, expected) => {
    const text = `{ source { CloudTrailRawEvents e, array_to_rows(EVENT:list) as (x) } filter { ${condition} } return { INSERT_ID } }`;
    expect(short(only(checked(text)).filter as CheckedExpression)).toBe(expected);
  });
});

describe('unions', () => {
  test('return columns in the order of the first block, and a null with the type of the other blocks', () => {
    const query = checked(
      'union { { source { LW_HE_USERS } return { USERNAME, null as N } }, { source { LW_HE_USERS } return distinct { MID as N, HOME_DIR as USERNAME } } }',
    );
    expect(query.combine).toBe('union');
    expect(query.columns).toEqual([
      { name: 'USERNAME', type: 'String' },
      { name: 'N', type: 'Number' },
    ]);
    expect(query.blocks.map(shortBlock)).toEqual([
      '{LW_HE_USERS | USERNAME=0.USERNAME, N=number(null)}',
      '{LW_HE_USERS | distinct USERNAME=0.HOME_DIR, N=0.MID}',
    ]);
  });

  test('keep duplicates with all, as a single block does', () => {
    const block = '{ source { LW_HE_USERS } return { MID } }';
    expect(checked(`union all { ${block}, ${block} }`).combine).toBe('union all');
    expect(checked(block)).toMatchObject({
      combine: 'union all',
      columns: [{ name: 'MID', type: 'Number' }],
    });
  });
});

test('a result column has the description of the catalogue', () => {
  const described = {
    find: (name: string) => ({
      name,
      description: '',
      columns: [{ name: 'MID', type: 'Number', description: 'Machine.' } as const],
      relationships: [],
    }),
    names: () => [],
  };
  const { query } = analyse('{ source { D } return { MID, MID + 1 as NEXT } }', described);
  expect(query?.columns).toEqual([
    { name: 'MID', type: 'Number', description: 'Machine.' },
    { name: 'NEXT', type: 'Number' },
  ]);
});
