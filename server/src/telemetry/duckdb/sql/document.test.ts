import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SampleTable } from '../table.sample.ts';

let table: SampleTable;

beforeAll(async () => {
  table = await SampleTable.create();
});

afterAll(() => table.close());

describe('documents with', () => {
  test('numbers beyond integers and doubles', async () => {
    const numbers = ['18446744073709551616', '1e400', '-1E400', '1e-400', '-0.0'];
    const stored = await table.storeJson(numbers.map((number) => `{"other":${number}}`));
    expect(await table.search(stored, { field: 'other', expression: 'gt', value: 1e19 })).toEqual([0, 1]);
    expect(await table.search(stored, { field: 'other', expression: 'lt', value: 0 })).toEqual([2]);
    expect(
      await table.search(stored, { field: 'other', expression: 'like', value: '18446744073709552000' }),
    ).toEqual([0]);
    expect(await table.search(stored, { field: 'other', expression: 'like', value: 'null' })).toEqual([1, 2]);
    expect(await table.search(stored, { field: 'other', expression: 'like', value: '0' })).toEqual([3, 4]);
  });

  test('such numbers inside arrays and objects', async () => {
    const stored = await table.storeJson([
      '{"other":[1.0, -0.0, 1e21, 1.50, "1.0", "-1e5", {"1.0": 1e-7}]}',
      '{"other":["\\u001F\\\\u001F\\u000b", 18446744073709551616, 1E400, 123]}',
      '{"other":[-9223372036854775809]}',
      '{"other":{"a":-100000000000000000000}}',
      '{"other":{"a":[],"b":2E0}}',
    ]);
    for (const value of [
      '[1,0,1e+21,1.5,"1.0","-1e5",{"1.0":1e-7}]',
      '["\\u001f\\\\u001F\\u000b",18446744073709552000,null,123]',
      '[-9223372036854776000]',
      '{"a":-100000000000000000000}',
      '{"a":[],"b":2}',
    ]) {
      expect(await table.search(stored, { field: 'other', expression: 'like', value })).toHaveLength(1);
    }
  });

  test('a NUL in a string', async () => {
    const stored = await table.storeJson([
      '{"text":"a\\u0000b","key":{"text":"a\\u0000b"},"other":["a\\u0000b"]}',
    ]);
    for (const field of ['text', 'key.text', 'other[0]']) {
      expect(await table.search(stored, { field, expression: 'eq', value: 'a' })).toEqual([]);
      expect(await table.search(stored, { field, expression: 'like', value: 'a_b' })).toEqual([0]);
      expect(await table.search(stored, { field, expression: 'like', value: '%b' })).toEqual([0]);
      expect(await table.search(stored, { field, expression: 'rlike', value: 'a[^b]b' })).toEqual([0]);
    }
  });

  test('member names with a special meaning in JSON paths', async () => {
    const members = [
      '*',
      '',
      '0',
      '#',
      '?',
      'a*',
      '**',
      '$',
      '\0',
      '"\\',
      'length',
      '[*]',
      "'",
      '/',
      '~0',
      '.',
    ];
    const other = Object.fromEntries(members.map((member, at) => [member, at]));
    const stored = await table.storeJson([
      JSON.stringify({ other }),
      '{"other":[1,2,3]}',
      '{"other":"text"}',
    ]);
    for (const [value, member] of members.entries()) {
      const field = `other."${member.replace(/["\\]/g, '\\$&')}"`;
      expect(await table.search(stored, { field, expression: 'eq', value })).toEqual([0]);
    }
    for (const path of ['[0]', '[0][0]', '.x', '."\ud800"', '."0".a', '.toString', '."*".a', '."".""']) {
      const ids = await table.search(stored, { field: `other${path}`, expression: 'ge', value: 0 });
      expect(ids).toEqual(path === '[0]' ? [1] : []);
    }
  });

  test('any double, formatted as in JavaScript', async () => {
    const numbers = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), 60);
    const stored = await table.storeJson(
      numbers.map((number) => JSON.stringify({ size: number, other: [number] })),
    );
    for (const number of numbers) {
      const value = JSON.stringify(number);
      expect(await table.search(stored, { field: 'size', expression: 'like', value })).not.toEqual([]);
      expect(
        await table.search(stored, { field: 'other', expression: 'like', value: `[${value}]` }),
      ).not.toEqual([]);
    }
  });

  test('timestamps in every accepted format', async () => {
    const times = [
      '2024-05-01',
      '2024-05-01T00',
      '2024-05-01T00:00:00.000000000Z',
      '2024-05-01T02:00:00+0200',
    ];
    const stored = times.map((startTime, id) => ({
      record: { id, startTime },
      doc: JSON.stringify({ id, startTime }),
    }));
    await table.store(stored);
    expect(await table.search(stored, { field: 'startTime', expression: 'eq', value: '2024-05-01' })).toEqual(
      [0, 1, 2, 3],
    );
    expect(await table.search(stored, { field: 'startTime', expression: 'like', value: '%+0200' })).toEqual([
      3,
    ]);
  });
});
