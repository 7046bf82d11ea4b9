import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../testing/clock.ts';
import { Receiver } from '../../testing/receiver.ts';
import { GuardedOutbound } from '../guarded-outbound.ts';
import { BaseCredentials } from './base-credentials.ts';

const metadata = new GuardedOutbound({ allowsPrivate: true });
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
});
beforeEach(() => {
  receiver.forget();
  receiver.react = () => ({ status: 404 });
});
afterAll(() => receiver.close());

const role = (keyId: string, expires: string) => ({
  body: JSON.stringify({
    Code: 'Success',
    AccessKeyId: keyId,
    SecretAccessKey: 'secret of the role',
    Token: 'token of the role',
    Expiration: expires,
  }),
});
const taken = (accessKeyId: string) => ({
  accessKeyId,
  secretAccessKey: 'secret of the role',
  sessionToken: 'token of the role',
});

function credentials(environment: NodeJS.ProcessEnv) {
  const clock = new ManualClock('2026-03-01T12:00:00Z');
  return { clock, environment, base: new BaseCredentials({ environment, metadata, clock }) };
}

describe('base credentials', () => {
  test('come from the environment, read on each use', async () => {
    const { base, environment } = credentials({ AWS_ACCESS_KEY_ID: 'AKIA1', AWS_SECRET_ACCESS_KEY: 'one' });
    expect(await base.get()).toEqual({
      accessKeyId: 'AKIA1',
      secretAccessKey: 'one',
      sessionToken: undefined,
    });
    environment.AWS_SESSION_TOKEN = 'token';
    expect(await base.get()).toMatchObject({ sessionToken: 'token' });
    expect(receiver.received).toEqual([]);
  });

  test('come from the instance role by IMDSv2, cached until shortly before they expire', async () => {
    const { base, clock } = credentials({ AWS_EC2_METADATA_SERVICE_ENDPOINT: `${receiver.url}/` });
    receiver.expect({ body: 'session' }, { body: 'reader\n' }, role('ASIA1', '2026-03-01T18:00:00Z'));
    expect(await Promise.all([base.get(), base.get()])).toEqual([taken('ASIA1'), taken('ASIA1')]);
    expect(receiver.received.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      'PUT /latest/api/token',
      'GET /latest/meta-data/iam/security-credentials/',
      'GET /latest/meta-data/iam/security-credentials/reader',
    ]);
    expect(receiver.received[0]?.headers['x-aws-ec2-metadata-token-ttl-seconds']).toBe('300');
    expect(receiver.received[2]?.headers['x-aws-ec2-metadata-token']).toBe('session');

    clock.advance(6 * 3_600_000 - 300_001);
    expect(await base.get()).toEqual(taken('ASIA1'));
    expect(receiver.received).toHaveLength(3);
    clock.advance(1);
    receiver.expect({ body: 'session' }, { body: 'reader' }, role('ASIA2', '2026-03-02T00:00:00Z'));
    expect(await base.get()).toEqual(taken('ASIA2'));
  });

  test('come from the container role, with the token file read on each request', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'vedette-token-'));
    const file = join(directory, 'token');
    writeFileSync(file, 'first\n');
    const { base, clock } = credentials({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${receiver.url}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file,
    });
    receiver.expect(role('ASIA1', '2026-03-01T13:00:00Z'), role('ASIA2', '2026-03-01T15:00:00Z'));
    expect(await base.get()).toEqual(taken('ASIA1'));
    writeFileSync(file, 'second');
    clock.advance(3_600_000);
    expect(await base.get()).toEqual(taken('ASIA2'));
    expect(receiver.received.map(({ headers }) => headers.authorization)).toEqual(['first', 'second']);
    rmSync(directory, { recursive: true });
  });

  test('are requested again after a failure, whose message names the fix', async () => {
    const { base } = credentials({ AWS_EC2_METADATA_SERVICE_ENDPOINT: receiver.url });
    const lacking = { message: expect.stringContaining('AWS_ACCESS_KEY_ID'), isFinal: false };
    await expect(base.get()).rejects.toMatchObject(lacking);
    receiver.expect({ body: 'session' }, { body: 'reader' }, { body: '{"Code":"Failed"}' });
    await expect(base.get()).rejects.toMatchObject(lacking);
    receiver.expect({ body: 'session' }, { body: 'reader' }, role('ASIA1', '2026-03-01T18:00:00Z'));
    expect(await base.get()).toEqual(taken('ASIA1'));
    const off = credentials({ AWS_EC2_METADATA_DISABLED: 'true' });
    await expect(off.base.get()).rejects.toMatchObject(lacking);
  });
});
