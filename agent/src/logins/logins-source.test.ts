import { appendFileSync, mkdirSync, renameSync, truncateSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Observed } from '../source.ts';
import { observe } from '../testing/ingest.ts';
import { TestHost } from '../testing/test-host.ts';
import { LoginsSource } from './logins-source.ts';
import { utmpBytes } from './utmp.sample.ts';
import type { UtmpRecord } from './utmp.ts';

let host: TestHost;
let cursor: unknown;
beforeEach(() => {
  host = new TestHost();
  cursor = undefined;
  host.write('etc/passwd', 'root:x:0:0::/var/roothome:\nann:x:1000:1001::/home/ann:\n');
});
afterEach(() => host.remove());

const [wtmp, log] = ['var/log/wtmp', 'var/log/auth.log'];

function append(file: string, content: string | Buffer): void {
  appendFileSync(join(host.root, file), content);
  utimesSync(join(host.root, file), host.time / 1_000, host.time / 1_000);
}

function session(record: Partial<UtmpRecord>): Buffer {
  return utmpBytes({ at: host.time, line: 'pts/0', ...record });
}

const login = (user: string) => session({ type: 7, user, host: 'desk', address: '192.0.2.7' });
const logoff = () => session({ type: 8 });

/** The next observation, with the cursor of the last one. */
async function next(source = new LoginsSource()): Promise<readonly Observed[]> {
  const observation = await observe(host, source, cursor);
  if (observation.cursor !== undefined) cursor = JSON.parse(JSON.stringify(observation.cursor));
  host.time += 10_000;
  return observation.records['Activities/UserLogins'] ?? [];
}

const brief = (records: readonly Observed[]) =>
  records.map(({ activityType, username, tty }) => [activityType, username, tty].filter(Boolean).join(' '));

test('a session has its login and its logoff, which is matched by the terminal', async () => {
  host.write(wtmp, login('ann'));
  expect(await next()).toEqual([
    {
      ...{ activityTime: '2026-01-01T10:00:00.000Z', activityType: 'LOGIN', username: 'ann', uid: 1000 },
      ...{ gid: 1001, sourceIpAddr: '192.0.2.7', hostname: 'desk', tty: 'pts/0' },
    },
  ]);
  expect(await next()).toEqual([]);
  append(wtmp, logoff());
  expect(await next()).toMatchObject([
    { activityTime: '2026-01-01T10:00:20.000Z', activityType: 'LOGOFF', username: 'ann', tty: 'pts/0' },
  ]);
  append(wtmp, logoff());
  expect(await next()).toEqual([]);
});

test('nothing is stored when nothing happened', async () => {
  host.write(wtmp, login('ann'));
  await next();
  expect((await new LoginsSource().observe(host, cursor)).cursor).toBeUndefined();
});

test('a start of the host ends all sessions', async () => {
  host.write(wtmp, Buffer.concat([login('ann'), session({ type: 7, user: 'root', line: 'tty1' })]));
  await next();
  append(wtmp, session({ type: 2, user: 'reboot', line: '~' }));
  expect(brief(await next())).toEqual(['LOGOFF ann pts/0', 'LOGOFF root tty1']);
});

test('at first, a day of history is reported; older sessions are known', async () => {
  const now = host.time;
  host.time = now - 25 * 3_600_000;
  const old = Buffer.concat([login('ann'), session({ type: 7, user: 'root', line: 'tty1' })]);
  host.time = now - 3_600_000;
  host.write(wtmp, Buffer.concat([old, logoff()]));
  host.time = now;
  expect(brief(await next())).toEqual(['LOGOFF ann pts/0']);
  append(wtmp, session({ type: 8, line: 'tty1' }));
  expect(brief(await next())).toEqual(['LOGOFF root tty1']);
});

test.each(['wtmp.1', 'wtmp-20260101'])('the rest of a file that became %s is read too', async (name) => {
  host.write(wtmp, login('ann'));
  await next();
  append(wtmp, logoff());
  renameSync(join(host.root, wtmp), join(host.root, 'var/log', name));
  host.write(wtmp, login('root'));
  expect(brief(await next())).toEqual(['LOGOFF ann pts/0', 'LOGIN root pts/0']);
  expect(await next()).toEqual([]);
});

test('a file that was emptied is read from its start', async () => {
  host.write(wtmp, Buffer.concat([login('ann'), logoff()]));
  await next();
  truncateSync(join(host.root, wtmp));
  append(wtmp, login('root'));
  expect(brief(await next())).toEqual(['LOGIN root pts/0']);
});

test('a record that is not yet whole is read when it is', async () => {
  const bytes = login('ann');
  host.write(wtmp, bytes.subarray(0, 200));
  expect(await next()).toEqual([]);
  append(wtmp, bytes.subarray(200));
  expect(brief(await next())).toEqual(['LOGIN ann pts/0']);
});

const fingerprint = `SHA256:${'a'.repeat(43)}`;
/** A line as syslog writes it, an hour ahead of UTC. */
const logged = (message: string, pid = 77) => {
  const [, date, month, , time] = new Date(host.time + 3_600_000).toUTCString().split(' ');
  return `${month} ${String(Number(date)).padStart(2)} ${time} web sshd[${pid}]: ${message}\n`;
};
const accepted = (user: string) =>
  `Accepted publickey for ${user} from 192.0.2.7 port 5 ssh2: ED25519 ${fingerprint}`;

test('a login by SSH has the key that sshd accepted', async () => {
  host.write(log, '');
  append(log, logged(accepted('ann')));
  host.write(wtmp, login('ann'));
  expect(await next()).toMatchObject([
    { activityType: 'LOGIN', tty: 'pts/0', sshKeyType: 'ED25519', fingerprintOpensshSha256: fingerprint },
  ]);
  append(log, logged('pam_unix(sshd:session): session closed for user ann'));
  append(wtmp, logoff());
  expect(brief(await next())).toEqual(['LOGOFF ann pts/0']);
});

test('a session without a terminal is reported by the log of sshd', async () => {
  host.write(log, '');
  append(log, logged(accepted('ann')));
  expect([await next(), await next()]).toEqual([[], []]);
  expect(await next()).toEqual([
    {
      ...{ activityTime: '2026-01-01T10:00:00.000Z', activityType: 'LOGIN', username: 'ann', uid: 1000 },
      ...{ gid: 1001, sourceIpAddr: '192.0.2.7', sshKeyType: 'ED25519' },
      fingerprintOpensshSha256: fingerprint,
    },
  ]);
  append(log, logged('pam_unix(sshd:session): session closed for user ann'));
  expect(await next()).toMatchObject([{ activityType: 'LOGOFF', activityTime: '2026-01-01T10:00:30.000Z' }]);
});

test('a short session without a terminal has both', async () => {
  host.write(log, '');
  append(log, logged(accepted('ann')) + logged('pam_unix(sshd:session): session closed for user ann'));
  await next();
  await next();
  expect(brief(await next())).toEqual(['LOGIN ann', 'LOGOFF ann']);
});

test('failed logins are reported if wanted, whatever their names are', async () => {
  host.write('var/log/btmp', session({ type: 6, user: 'a\u0001b', line: 'ssh:notty' }));
  host.write(wtmp, '');
  expect(await next()).toEqual([]);
  expect(await next(new LoginsSource({ reportsFailed: true }))).toMatchObject([
    { activityType: 'FAILED_LOGIN', username: 'a?b', tty: 'ssh:notty' },
  ]);
});

test('a host without logs, and a log of another format, are gaps', async () => {
  expect((await observe(host, new LoginsSource())).gaps).toEqual([
    { what: 'logins', reason: expect.stringContaining('mount /var/log') },
  ]);
  host.write(wtmp, 'x'.repeat(1_000));
  await next();
  expect((await observe(host, new LoginsSource(), cursor)).gaps).toEqual([
    { what: 'logins', reason: '/var/log/wtmp is not in a known format of utmp.' },
  ]);
});

test('a journal without logins is no gap', async () => {
  mkdirSync(join(host.root, 'var/log/journal'), { recursive: true });
  const { records, gaps } = await observe(host, new LoginsSource());
  expect(records).toEqual({});
  // Where journalctl is not installed, it is missing.
  for (const { reason } of gaps) expect(reason).toContain('Install journalctl');
});

test('a damaged cursor begins again', async () => {
  host.write(wtmp, login('ann'));
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (damaged) => {
      const { records } = await observe(host, new LoginsSource(), damaged);
      expect(brief(records['Activities/UserLogins'] ?? [])).toEqual(['LOGIN ann pts/0']);
    }),
    { numRuns: 30 },
  );
  const sessions = { terminals: [[1, null]], accepted: [], others: [] };
  const { records } = await observe(host, new LoginsSource(), { positions: {}, sessions });
  expect(brief(records['Activities/UserLogins'] ?? [])).toEqual(['LOGIN ann pts/0']);
});

test('any bytes are read without an error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 1_500 }), async (bytes) => {
      for (const file of [wtmp, 'var/log/btmp', log]) host.write(file, Buffer.from(bytes));
      await observe(host, new LoginsSource({ reportsFailed: true }));
    }),
    { numRuns: 30 },
  );
});
