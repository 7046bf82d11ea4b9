import type { Host } from '../host/host.ts';
import type { Gap, Observation, Observed, Source } from '../source.ts';
import { timestamp } from '../timestamp.ts';
import { UserNames } from '../users/user-names.ts';
import { checkedCursor } from './login-cursor.ts';
import { LoginReader } from './login-reader.ts';
import type { LoginEvent } from './sessions.ts';

const day = 24 * 3_600_000;

export interface LoginsOptions {
  /** Whether failed logins are reported, as FAILED_LOGIN. Everyone who reaches the host can cause many of them. */
  readonly reportsFailed?: boolean;
}

/** Reports logins to the host and logoffs from it. */
export class LoginsSource implements Source {
  readonly name = 'logins';
  readonly interval = 10_000;
  readonly #reportsFailed: boolean;

  constructor({ reportsFailed = false }: LoginsOptions = {}) {
    this.#reportsFailed = reportsFailed;
  }

  async observe(host: Host, given: unknown): Promise<Observation> {
    const cursor = checkedCursor(given);
    const reader = new LoginReader(host, cursor);
    const [logs, terminals] = [await reader.messages(), await reader.terminals()];
    const failed = this.#reportsFailed ? await reader.failed() : [];
    const events = [...logs, ...terminals, ...reader.withoutTerminal(), ...failed];
    // History is only read at the first start.
    const since = cursor ? 0 : host.now() - day;
    const names = await UserNames.read(host.files);
    const records = events
      .filter(({ at }) => at >= since)
      .sort((one, other) => one.at - other.at)
      .map((event) => recordOf(event, names));
    const gaps: Gap[] = [...reader.gaps];
    if (!reader.hasLogs)
      gaps.push({
        what: 'logins',
        reason:
          'The host has no /var/log/wtmp, /var/log/auth.log, /var/log/secure or journal. If the agent runs in a container, mount /var/log of the host.',
      });
    const next = reader.cursor;
    const isSame = JSON.stringify(next) === JSON.stringify(given);
    return {
      records: records.length > 0 ? { 'Activities/UserLogins': records } : {},
      gaps,
      ...(!isSame && { cursor: next }),
    };
  }
}

function recordOf(event: LoginEvent, names: UserNames): Observed {
  const { type, at, tty, address, host, keyType, fingerprint } = event;
  const username = event.user.replace(/\p{Cc}/gu, '?');
  const user = names.user(username);
  const digest = fingerprint?.startsWith('SHA256:') ? 'fingerprintOpensshSha256' : 'fingerprintOpensshMd5';
  return {
    ...{ activityTime: timestamp(at), activityType: type, username },
    ...(user && { uid: user.uid, gid: user.gid }),
    ...(address !== undefined && { sourceIpAddr: address }),
    ...(host !== undefined && { hostname: host.replace(/\p{Cc}/gu, '?') }),
    ...(tty !== undefined && { tty: tty.replace(/\p{Cc}/gu, '?') }),
    ...(keyType !== undefined && { sshKeyType: keyType }),
    ...(fingerprint !== undefined && { [digest]: fingerprint }),
  };
}
