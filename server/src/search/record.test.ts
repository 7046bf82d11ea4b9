import { expect, test } from 'vitest';
import { sample } from './dataset.sample.ts';
import { project, readRecord } from './record.ts';

const row = {
  id: 'one',
  name: 'thing',
  size: 1.5,
  item_count: 3,
  enabled: 0,
  seen_time: Date.parse('2024-05-01T13:04:05.678Z'),
  props: '{"a":[1,null]}',
  account_id: 'not declared',
};

const record = {
  id: 'one',
  name: 'thing',
  size: 1.5,
  count: 3,
  enabled: false,
  seenTime: '2024-05-01T13:04:05.678Z',
  props: { a: [1, null] },
};

test('a row is converted to the names and types of the API', () => {
  expect(readRecord(row, sample)).toEqual(record);
  expect(readRecord({ ...row, enabled: 1 }, sample)).toEqual({ ...record, enabled: true });
});

test('null columns are omitted from the record', () => {
  const empty = {
    ...row,
    name: null,
    size: null,
    item_count: null,
    enabled: null,
    seen_time: null,
    props: null,
  };
  expect(readRecord(empty, sample)).toStrictEqual({ id: 'one' });
});

test('zero, false and the empty string are values', () => {
  const falsy = { id: '', size: 0, enabled: 0, seen_time: 0 };
  const read = { id: '', size: 0, enabled: false, seenTime: '1970-01-01T00:00:00.000Z' };
  expect(readRecord(falsy, sample)).toStrictEqual(read);
});

test('a projection keeps the named members only', () => {
  expect(project(record, ['count', 'props'])).toStrictEqual({ count: 3, props: { a: [1, null] } });
  expect(project({ id: 'one' }, ['id', 'name'])).toStrictEqual({ id: 'one' });
  expect(project(record, undefined)).toBe(record);
});
