import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../platform/errors.ts';
import type { Member, MemberType } from './dataset.ts';
import { containers } from './datasets/Containers.ts';
import { userLogins } from './datasets/UserLogins.ts';
import { datasets } from './datasets.ts';
import { checkRecord, maxStringLength } from './ingest-form.ts';

const login = {
  createdTime: '2024-05-01T13:06:00.000Z',
  activityTime: '2024-05-01T13:05:05.260Z',
  activityType: 'LOGIN',
  mid: 4107,
  username: 'ec2-user',
  uid: 1000,
  sourceIpAddr: '198.51.100.7',
};

function refusal(record: unknown, dataset = userLogins, index = 17): string | undefined {
  try {
    checkRecord(dataset, record, index);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(error.code).toBe('INVALID_INPUT');
    return error.message;
  }
}

describe('a reported record', () => {
  test('is accepted with all declared members, and with others', () => {
    expect(refusal(login)).toBeUndefined();
    expect(refusal({ ...login, shell: '/bin/bash', session: { id: [1, null] } })).toBeUndefined();
  });

  test('may have optional members absent or null', () => {
    const { uid, sourceIpAddr, ...required } = login;
    expect(refusal(required)).toBeUndefined();
    expect(refusal({ ...login, tty: null, uid: null, hostname: null })).toBeUndefined();
  });

  test('is refused with its index if a required member is missing', () => {
    const { mid, ...rest } = login;
    expect(refusal(rest)).toBe('records[17].mid is required: add it to the record.');
    expect(refusal({ ...login, mid: null }, userLogins, 0)).toBe(
      'records[0].mid must be an integer, not null.',
    );
    expect(refusal({ ...login, mid: undefined })).toBe('records[17].mid is required: add it to the record.');
  });

  test.each([
    ['mid', '4107', "must be an integer, not '4107'."],
    ['mid', 1.5, 'must be an integer, not 1.5.'],
    ['mid', true, 'must be an integer, not true.'],
    ['uid', 'root', "must be an integer, not 'root'."],
    ['username', 7, 'must be a string, not 7.'],
    ['username', ['a'], 'must be a string, not an array.'],
    ['tty', {}, 'must be a string, not an object.'],
    ['createdTime', 1714568400000, 'must be a string, not 1714568400000.'],
    ['createdTime', 'now', "must be a timestamp such as 2024-05-01T13:00:00.000Z, not 'now'."],
  ])('is refused when %s is %j', (name, value, hint) => {
    expect(refusal({ ...login, [name]: value })).toBe(`records[17].${name} ${hint}`);
  });

  test.each(['text', 7, null, [login]])('is refused when it is not an object but %j', (record) => {
    expect(refusal(record)).toMatch(/^records\[17\] must be an object, not /);
  });

  test.each([
    ['2024-05-01T13:00:00Z', true],
    ['2024-05-01T13:00:00.123456789Z', true],
    ['2024-05-01T15:00:00+02:00', true],
    ['2024-02-30T13:00:00Z', false],
    ['2024-05-01T15:00:00+0200', false],
    ['2024-05-01T13', false],
    ['2024-05-01', false],
    ['2024-05-01 13:00:00.000 -0700', false],
    ['', false],
  ])('has timestamps in formats that every client can read: %s, %j', (createdTime, good) => {
    expect(refusal({ ...login, createdTime }) === undefined).toBe(good);
  });

  test.each([
    ['9223372036854775807', true],
    ['-9223372036854775808', true],
    ['1e19', false],
    ['-1e19', false],
    ['9223372036854777856', false],
  ])('has integers of 64 bits: %s, %j', (mid, good) => {
    const record = JSON.parse(JSON.stringify(login).replace('4107', mid));
    expect(refusal(record) === undefined).toBe(good);
  });

  test('has strings of bounded length', () => {
    expect(refusal({ ...login, username: 'x'.repeat(maxStringLength) })).toBeUndefined();
    expect(refusal({ ...login, username: 'x'.repeat(maxStringLength + 1) })).toBe(
      `records[17].username must have at most ${maxStringLength} characters, not ${maxStringLength + 1}.`,
    );
  });

  test('has objects and arrays with arbitrary content where they are declared', () => {
    const record = {
      startTime: '2024-05-01T13:00:00.000Z',
      endTime: '2024-05-01T14:00:00.000Z',
      mid: 4107,
      containerName: 'web',
      imageId: 'sha256:00',
      propsContainer: { IMAGE_SIZE: 'large', PRIVILEGED: 1 },
      tags: {},
    };
    expect(refusal(record, containers)).toBeUndefined();
    expect(refusal({ ...record, tags: [] }, containers)).toBeUndefined();
    expect(refusal({ ...record, tags: '{}' }, containers)).toBe(
      "records[17].tags must be an object or array, not '{}'.",
    );
  });
});

const values: Record<MemberType, fc.Arbitrary<unknown>> = {
  string: fc.string(),
  integer: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(Number),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }),
  boolean: fc.boolean(),
  time: fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  json: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())),
};
const wrong: Record<MemberType, unknown> = {
  string: 1,
  integer: 'x',
  number: 'x',
  boolean: 'x',
  time: 'x',
  json: 'x',
};
const anyValue = ({ type, values: set, optional }: Member) => {
  const some = set ? fc.constantFrom(...set) : values[type];
  return optional ? fc.option(some, { nil: null }) : some;
};

test.each(datasets.map((dataset) => [dataset.path, dataset] as const))(
  '%s accepts its declared members, each of its type only',
  (_, dataset) => {
    const names = Object.keys(dataset.members);
    const record = fc.record(
      Object.fromEntries(Object.entries(dataset.members).map(([name, member]) => [name, anyValue(member)])),
      { requiredKeys: names.filter((name) => !dataset.members[name]?.optional) },
    );
    fc.assert(
      fc.property(record, fc.constantFrom(...names), (good, name) => {
        expect(refusal(good, dataset)).toBeUndefined();
        const { type, values: set } = dataset.members[name] as Member;
        const isClosed = set && name !== dataset.search?.activity?.member;
        const complaint = `records[17].${name} must be ${isClosed ? `one of ${set.join(', ')}` : 'a'}`;
        expect(refusal({ ...good, [name]: wrong[type] }, dataset)).toMatch(complaint);
      }),
      { numRuns: 30 },
    );
  },
);
