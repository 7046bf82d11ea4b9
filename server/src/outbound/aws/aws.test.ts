import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../testing/clock.ts';
import { expectGenuine } from '../../testing/genuine.ts';
import { outboundTo } from '../../testing/outbound.ts';
import { Receiver } from '../../testing/receiver.ts';
import { awsSecrets, transportsWith } from '../../testing/transports.ts';
import { parseArn } from './arn.ts';
import { Aws } from './aws.ts';
import { BaseCredentials } from './base-credentials.ts';
import { S3 } from './s3.ts';
import { xmlElement } from './xml.ts';

const names = ['sts.us-east-1', 'bucket.s3.us-east-1', 'bucket.s3.eu-west-1'];
const hosts = [...names.map((name) => `${name}.amazonaws.com`), 'aws.example.com'];
const role = { roleArn: 'arn:aws:iam::112233445566:role/writer', externalId: 'x' };
const object = { bucketArn: 'arn:aws:s3:::bucket', key: 'a', body: 'body', contentType: 'text/plain' };

let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start(hosts);
});
beforeEach(() => {
  receiver.forget();
  receiver.react = ({ url }) => (url.includes('//sts.') ? assumed('2026-03-01T13:00:00Z') : {});
});
afterAll(() => receiver.close());

const assumed = (expires: string) => ({
  body: [
    '<Credentials><AccessKeyId>ASIAROLE</AccessKeyId>',
    `<SecretAccessKey>${awsSecrets.ASIAROLE}</SecretAccessKey>`,
    `<SessionToken>t</SessionToken><Expiration>${expires}</Expiration></Credentials>`,
  ].join(''),
});
const requestedHosts = () => receiver.received.map(({ url }) => new URL(url).hostname.split('.amazonaws')[0]);

describe('AWS', () => {
  test('credentials of a role are cached until shortly before they expire, and renewed after a rejection', async () => {
    const clock = new ManualClock('2026-03-01T12:00:00Z');
    const { s3 } = transportsWith(outboundTo(receiver, hosts), clock);
    await Promise.all([s3.put(object, role), s3.put(object, role)]);
    expect(requestedHosts().sort()).toEqual(['bucket.s3.us-east-1', 'bucket.s3.us-east-1', 'sts.us-east-1']);
    await s3.put(object, { ...role, externalId: 'y' });
    expect(requestedHosts().slice(3)).toEqual(['sts.us-east-1', 'bucket.s3.us-east-1']);

    clock.advance(3_300_000 - 1);
    await s3.put(object, role);
    expect(requestedHosts().slice(5)).toEqual(['bucket.s3.us-east-1']);
    clock.advance(1);
    receiver.expect(assumed('2026-03-01T14:00:00Z'));
    await s3.put(object, role);
    expect(requestedHosts().slice(6)).toEqual(['sts.us-east-1', 'bucket.s3.us-east-1']);

    receiver.expect({ status: 400, body: '<Error><Code>ExpiredToken</Code></Error>' });
    await expect(s3.put(object, role)).rejects.toMatchObject({ code: 'ExpiredToken', isFinal: false });
    receiver.expect(assumed('2026-03-01T14:00:00Z'));
    await s3.put(object, role);
    expect(requestedHosts().slice(8)).toEqual([
      'bucket.s3.us-east-1',
      'sts.us-east-1',
      'bucket.s3.us-east-1',
    ]);
    receiver.received.forEach(expectGenuine);
  });

  test('requests the region of a bucket once', async () => {
    const { s3 } = transportsWith(outboundTo(receiver, hosts), new ManualClock('2026-03-01T12:00:00Z'));
    const elsewhere = { status: 400, body: '<Error><Code>A</Code><Region>eu-west-1</Region></Error>' };
    receiver.expect(assumed('2026-03-01T13:00:00Z'), elsewhere);
    await s3.put(object, role);
    await s3.put(object, role);
    expect(requestedHosts().slice(1)).toEqual([
      'bucket.s3.us-east-1',
      'bucket.s3.eu-west-1',
      'bucket.s3.eu-west-1',
    ]);
    receiver.react = () => elsewhere;
    await expect(s3.put(object, role)).rejects.toMatchObject({ code: 'A', isFinal: true });
  });

  test('requests to a new bucket are signed for the region it reports', async () => {
    const { s3 } = transportsWith(outboundTo(receiver, hosts), new ManualClock('2026-03-01T12:00:00Z'));
    const location = 'https://bucket.s3.eu-west-1.amazonaws.com/a';
    const body = '<Error><Code>TemporaryRedirect</Code></Error>';
    const moved = (headers: object) => ({ status: 307, headers: { location, ...headers }, body });
    receiver.expect(assumed('2026-03-01T13:00:00Z'), moved({}));
    await expect(s3.put(object, role)).rejects.toMatchObject({ code: 'TemporaryRedirect', isFinal: false });
    receiver.expect(moved({ 'x-amz-bucket-region': 'eu-west-1' }));
    await s3.put(object, role);
    expect(requestedHosts().slice(1)).toEqual([
      'bucket.s3.us-east-1',
      'bucket.s3.us-east-1',
      'bucket.s3.eu-west-1',
    ]);
    receiver.received.forEach(expectGenuine);
  });

  test('clock skew errors are not final', async () => {
    const { s3 } = transportsWith(outboundTo(receiver, hosts), new ManualClock('2026-03-01T12:00:00Z'));
    const skewed = { status: 403, body: '<Error><Code>RequestTimeTooSkewed</Code></Error>' };
    receiver.expect(assumed('2026-03-01T13:00:00Z'), skewed);
    await expect(s3.put(object, role)).rejects.toMatchObject({ isFinal: false });
  });

  test('requests go to the configured endpoint, with the bucket in the path', async () => {
    const clock = new ManualClock('2026-03-01T12:00:00Z');
    const environment = {
      AWS_ENDPOINT_URL: 'https://aws.example.com/',
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'AKIAOURSELVES',
      AWS_SECRET_ACCESS_KEY: awsSecrets.AKIAOURSELVES,
    };
    const outbound = outboundTo(receiver, hosts);
    const base = new BaseCredentials({ environment, metadata: outbound, clock });
    receiver.expect(assumed('2026-03-01T13:00:00Z'));
    const key = "ü (1)/!'*+ &?#%.json";
    const bucketArn = 'arn:aws:s3:::bucket/../below/./';
    await new S3(new Aws({ outbound, base, environment, clock })).put({ ...object, bucketArn, key }, role);
    expect(receiver.received.map(({ url }) => url)).toEqual([
      'https://aws.example.com/',
      "https://aws.example.com/bucket/below/%C3%BC%20(1)/!'*%2B%20%26%3F%23%25.json",
    ]);
    expect(receiver.received[1]?.headers.authorization).toContain('/eu-west-1/s3/');
    receiver.received.forEach(expectGenuine);
  });

  test('requests can not be redirected to other hosts by ARNs', async () => {
    for (const region of ['evil.example.com/', 'a@evil', 'x#', 'us-east-1.evil', 'us-east-1\n', '..'])
      expect(() => parseArn(`arn:aws:events:${region}:112233445566:event-bus/a`, 'events', 'x')).toThrow(
        'x is not an ARN',
      );
    const { s3 } = transportsWith(outboundTo(receiver, hosts), new ManualClock());
    for (const bucket of ['evil.example.com#', 'a@evil', '-x-', 'UPPER', 'a'])
      await expect(s3.put({ ...object, bucketArn: `arn:aws:s3:::${bucket}` }, role)).rejects.toThrow(
        'bucketArn',
      );
    expect(receiver.received).toEqual([]);
  });
});

test('any string is parsed as an ARN or refused', () => {
  const part = fc.stringMatching(/^[a-z0-9:/.-]{0,12}$/);
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const arn = `arn:aws:${parts.join(':')}`;
      try {
        const { partition, service, region, account, resource } = parseArn(arn, 's3', 'x');
        expect(['arn', partition, service, region, account, resource].join(':')).toBe(arn);
      } catch (error) {
        expect((error as Error).message).toBe('x is not an ARN of s3: correct it.');
      }
    }),
  );
});

test('the content of XML elements is unescaped', () => {
  const escaped = (content: string) =>
    content.replace(
      /[&<>"']/g,
      (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' })[c] ?? c,
    );
  fc.assert(
    fc.property(fc.string(), (content) => {
      expect(xmlElement(`<A><B>${escaped(content)}</B><B>other</B></A>`, 'B')).toBe(content.trim());
    }),
  );
  expect(xmlElement('<A><B>unfinished', 'B')).toBeUndefined();
});
