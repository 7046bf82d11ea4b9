import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { omissible } from './omissible.ts';
import { unknownMembers } from './unknown-members.ts';

const schema = Type.Union([
  Type.Object({
    timeFilter: omissible(Type.Object({ startTime: Type.String(), endTime: Type.String() })),
    filters: omissible(
      Type.Array(Type.Object({ field: Type.String(), value: Type.Union([Type.String(), Type.Number()]) })),
    ),
    props: Type.Record(Type.String(), Type.Unknown()),
    either: Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]),
    anything: Type.Unknown(),
  }),
  Type.Null(),
]);

test.each([
  [{ filter: [] }, ["unknown member 'filter' was ignored; did you mean 'filters'?"]],
  [
    { timeFilter: { startTme: '' } },
    ["unknown member 'timeFilter.startTme' was ignored; did you mean 'startTime'?"],
  ],
  [
    { filters: [{ field: 'a' }, { fields: 'b', value: 1 }] },
    ["unknown member 'filters[1].fields' was ignored; did you mean 'field'?"],
  ],
  [
    { zzz: 1 },
    ["unknown member 'zzz' was ignored; known members are timeFilter, filters, props, either, anything."],
  ],
  [{ constructor: 1 }, [expect.stringContaining("unknown member 'constructor' was ignored; ")]],
  [{ either: { a: '', c: '' } }, ["unknown member 'either.c' was ignored; known members are a, b."]],
  [{ 'a\u001b': 1 }, [expect.stringContaining("'a\\u{1b}'")]],
])('%j is reported as %j', (value, warnings) => {
  expect(unknownMembers(schema, value)).toEqual(warnings);
});

test('declared members, open objects and non-objects are not reported', () => {
  for (const value of [
    undefined,
    null,
    7,
    [],
    { timeFilter: null, filters: null },
    { props: { x: { y: 1 } }, anything: { z: 1 }, either: { a: '', b: '' } },
  ]) {
    expect(unknownMembers(schema, value)).toEqual([]);
  }
});

test('at most 20 are listed, and long names are truncated and not compared', () => {
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`x${index}`, 1]));
  const warnings = unknownMembers(schema, many);
  expect([warnings.length, warnings.at(-1)]).toEqual([21, '49980 more unknown members were ignored.']);
  const [long] = unknownMembers(schema, { ['filters'.repeat(100_000)]: 1 });
  expect(long).toMatch(/^unknown member 'f[filters]{59}…' was ignored; known members are /);
});
