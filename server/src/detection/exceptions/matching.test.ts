import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isExcepted, matcherOf, patternTest } from './matching.ts';

const bucket = {
  name: 'logs-eu',
  entities: [
    {
      kind: 'AwsResource',
      key: { ARN: 'arn:aws:s3:::of-the-entity' },
      props: { ACCOUNT_ID: '999999999999' },
    },
  ],
  row: {
    ARN: 'arn:aws:s3:::logs-eu',
    ACCOUNT_ID: '123456789012',
    RESOURCE_REGION: 'eu-west-1',
    RESOURCE_ID: 'logs-eu',
    RESOURCE_TAGS: { env: 'prod', team: 'data' },
  },
};
const text = (fieldKey: string, ...fieldValues: string[]) => ({ fieldKey, fieldValues });
const tags = (...fieldValues: (string | { key: string; value: string | string[] })[]) => ({
  fieldKey: 'resourceTags',
  fieldValues,
});

describe('an exception', () => {
  test.each([
    [[text('accountIds', '123456789012')], true],
    [[text('accountIds', '1234567890')], false],
    [[text('accountIds', '999999999999')], false],
    [[text('accountIds', '1', '123456789012')], true],
    [[text('arns', 'arn:aws:s3:::logs-*')], true],
    [[text('arns', 'arn:aws:s3:::*-us')], false],
    [[text('arns', 'arn:aws:s3:::of-the-entity')], false],
    [[text('resourceNames', 'logs-eu')], true],
    [[text('regionNames', 'eu-*'), text('accountIds', '123456789012')], true],
    [[text('regionNames', 'us-*'), text('accountIds', '123456789012')], false],
    [[text('projectIds', 'p')], false],
    [[text('projectIds', '*'), text('accountIds', '123456789012')], true],
    [[tags({ key: 'env', value: 'prod' })], true],
    [[tags({ key: 'env', value: ['test', 'prod'] })], true],
    [[tags({ key: 'env', value: 'data' })], false],
    [[tags({ key: 'team', value: '*' })], true],
    [[tags({ key: '*', value: 'da*' })], true],
    [[tags({ key: 'owner', value: '*' })], false],
    [[tags('*')], true],
    [[], false],
  ])('%j matches the bucket: %j', (constraints, covered) => {
    expect(isExcepted(constraints, bucket)).toBe(covered);
  });

  test('reads account, region and caller of a raw event', () => {
    const EVENT = {
      awsRegion: 'us-east-1',
      recipientAccountId: '111111111111',
      userIdentity: {
        arn: 'arn:aws:sts::111111111111:assumed-role/ci/build-7',
        accountId: '222222222222',
        sessionContext: { sessionIssuer: { arn: 'arn:aws:iam::111111111111:role/ci' } },
      },
    };
    const event = { name: 'DeleteTrail', entities: [], row: { INSERT_ID: 7, EVENT } };
    expect(isExcepted([text('arns', 'arn:aws:iam::111111111111:role/ci')], event)).toBe(true);
    expect(isExcepted([text('arns', 'arn:aws:sts::*:assumed-role/ci/*')], event)).toBe(true);
    expect(isExcepted([text('accountIds', '111111111111'), text('regionNames', 'us-east-1')], event)).toBe(
      true,
    );
    expect(isExcepted([text('accountIds', '222222222222')], event)).toBe(false);
  });

  test('reads tags from an array of keys and values, and from entities if the row has none', () => {
    const instance = { name: 'i-1', entities: [], row: { RESOURCE_TAGS: [{ Key: 'env', Value: 'dev' }] } };
    expect(isExcepted([tags({ key: 'env', value: 'dev' })], instance)).toBe(true);
    const host = { kind: 'Machine', key: { mid: 7, hostname: 'web-1' }, props: { tags: { env: 'dev' } } };
    const process = { name: 'sshd', entities: [host], row: { PATH: '/bin/sshd' } };
    expect(isExcepted([tags({ key: 'env', value: 'dev' })], process)).toBe(true);
    expect(isExcepted([text('resourceNames', 'web-*')], process)).toBe(true);
    expect(isExcepted([text('resourceNames', '7')], process)).toBe(true);
    expect(isExcepted([text('resourceNames', '/bin/*')], process)).toBe(true);
    expect(isExcepted([text('resourceNames', 'sshd')], process)).toBe(true);
    const ran = {
      name: 'xmrig',
      entities: [],
      row: { MID: 7, EXE_PATH: '/opt/xmrig' },
      machineTags: { env: 'lab' },
    };
    expect(isExcepted([text('resourceNames', '/opt/xmrig')], ran)).toBe(true);
    expect(isExcepted([tags({ key: 'env', value: 'lab' })], ran)).toBe(true);
    expect(isExcepted([tags({ key: 'env', value: 'prod' })], ran)).toBe(false);
  });
});

const word = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.'), maxLength: 8 });

describe('wildcards', () => {
  test('match like a regular expression with .* in their place', () => {
    fc.assert(
      fc.property(word, word, (pattern, given) => {
        const expression = pattern
          .split('*')
          .map((chunk) => chunk.replaceAll('.', '\\.'))
          .join('.*');
        expect(patternTest(pattern)(given)).toBe(new RegExp(`^${expression}$`, 's').test(given));
      }),
    );
  });

  test('take linear time for any pattern', () => {
    expect(patternTest('*a'.repeat(1_000))('a'.repeat(100_000).concat('b'))).toBe(false);
  });
});

describe('constraints', () => {
  const value = fc.string({ unit: fc.constantFrom('x', 'y', '*'), minLength: 1, maxLength: 3 });
  const key = fc.constantFrom('accountIds', 'arns', 'resourceNames');
  const constraint = fc.record({
    fieldKey: key,
    fieldValues: fc.array(value, { minLength: 1, maxLength: 3 }),
  });
  const mark = fc.array(fc.string({ unit: fc.constantFrom('x', 'y'), maxLength: 3 }), { maxLength: 2 });
  const marks = fc
    .record({ accountIds: mark, arns: mark, resourceNames: mark })
    .map((texts) => ({ name: 'z', texts, tags: [] }));

  test('match less with each added constraint, and more with each added value', () => {
    fc.assert(
      fc.property(
        fc.array(constraint, { minLength: 1, maxLength: 3 }),
        constraint,
        value,
        marks,
        (some, more, other, of) => {
          const covers = matcherOf(some)(of);
          if (matcherOf([...some, more])(of)) expect(covers).toBe(true);
          const wider = some.map((each) => ({ ...each, fieldValues: [...each.fieldValues, other] }));
          if (covers) expect(matcherOf(wider)(of)).toBe(true);
        },
      ),
    );
  });

  test('with a matching value for each key match, in any order', () => {
    fc.assert(
      fc.property(marks, (of) => {
        const own = Object.entries(of.texts).flatMap(([fieldKey, [first]]) =>
          first ? [{ fieldKey, fieldValues: ['unknown', first] }] : [],
        );
        if (own.length === 0) return;
        expect(matcherOf(own)(of)).toBe(true);
        expect(matcherOf(own.toReversed())(of)).toBe(true);
      }),
    );
  });
});
