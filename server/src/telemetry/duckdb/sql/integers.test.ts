import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FilterValue } from '../../../search/filter.ts';
import { textOf } from '../../../search/scalar.ts';
import { type Document, SampleTable } from '../table.sample.ts';

let table: SampleTable;

beforeAll(async () => {
  table = await SampleTable.create();
});

afterAll(() => table.close());

describe('integers of 64 bits are compared exactly', () => {
  const integers = [2n ** 63n - 1n, 2n ** 63n - 2n, 2n ** 53n + 1n, 2n ** 53n, 5n, -(2n ** 63n)];
  const stored = integers.map((value, id): Document => {
    const exact = value === 5n ? 5 : value;
    const record = {
      id,
      startTime: '2024-05-01T00:00:00Z',
      count: exact,
      key: { count: exact },
      other: [exact],
    };
    return { record, doc: textOf(record) };
  });

  describe.each(['count', 'key.count', 'other', 'other[0]'])('%s', (field) => {
    test.each<[string, FilterValue | FilterValue[], number[]]>([
      ['eq', '9223372036854775807', [0]],
      ['eq', '9223372036854775806', [1]],
      ['eq', '9223372036854775808', []],
      ['ne', '9223372036854775807', [1, 2, 3, 4, 5]],
      ['eq', '9007199254740993', [2]],
      ['eq', 9007199254740992, [3]],
      ['eq', '-9223372036854775808', [5]],
      ['in', ['9223372036854775806', '9007199254740993', '1.5'], [1, 2]],
      ['gt', '9223372036854775806', [0]],
      ['ge', '9223372036854775806', [0, 1]],
      ['gt', '9223372036854775807', []],
      ['lt', '9007199254740993', [3, 4, 5]],
      ['le', '-9223372036854775808', [5]],
      ['lt', '-9223372036854775808', []],
      ['gt', '4.5', [0, 1, 2, 3, 4]],
      ['lt', '5.5', [4, 5]],
      ['gt', '-1e999', [0, 1, 2, 3, 4, 5]],
      ['lt', '1e999', [0, 1, 2, 3, 4, 5]],
      ['gt', '1e999', []],
      ['lt', '1e30', [0, 1, 2, 3, 4, 5]],
      ['between', ['9223372036854775806', '9223372036854775807'], [0, 1]],
      ['between', ['4.5', '9007199254740992'], [3, 4]],
      ['like', '%22337203685477580_%', [0, 1, 5]],
    ])('%s %j', async (expression, value, expected) => {
      await table.store(stored);
      const values = Array.isArray(value) ? { values: value } : { value };
      expect(await table.search(stored, { field, expression, ...values })).toEqual(expected);
    });
  });
});
