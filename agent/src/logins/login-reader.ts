import type { Host } from '../host/host.ts';
import type { HostFiles } from '../host/host-files.ts';
import type { Reading } from '../reading.ts';
import type { Gap } from '../source.ts';
import { type LoggedLine, parseAuthLog, zoneOf } from './auth-log.ts';
import { type Part, type Position, readAdded } from './followed-file.ts';
import { parseJournal } from './journal-lines.ts';
import type { LoginCursor } from './login-cursor.ts';
import { failedLogin, type LoginEvent, Sessions } from './sessions.ts';
import { layoutOf, parseUtmp, type UtmpRecord } from './utmp.ts';

const maxFailed = 1_000;
const sshdLogs = ['/var/log/auth.log', '/var/log/secure'];

/** Reads what was added to the logs of logins since a cursor. */
export class LoginReader {
  readonly gaps: Gap[] = [];
  hasLogs = false;
  readonly #host: Host;
  readonly #sessions: Sessions;
  readonly #positions: Record<string, Position>;
  #journal: string | undefined;
  #journalAt: number | undefined;
  #zone: number | undefined;

  constructor(host: Host, cursor: LoginCursor | undefined) {
    this.#host = host;
    this.#sessions = new Sessions(cursor?.sessions);
    this.#positions = { ...cursor?.positions };
    this.#journal = cursor?.journal;
    this.#journalAt = cursor?.journalAt;
    this.#zone = cursor?.zone;
  }

  get cursor(): LoginCursor {
    return {
      positions: this.#positions,
      ...(this.#journal !== undefined && { journal: this.#journal }),
      ...(this.#journalAt !== undefined && { journalAt: this.#journalAt }),
      ...(this.#zone !== undefined && { zone: this.#zone }),
      sessions: this.#sessions.state,
    };
  }

  /** Of terminals, by wtmp. */
  async terminals(): Promise<LoginEvent[]> {
    const records = await this.#records('/var/log/wtmp', 'logins');
    return records.flatMap((record) => this.#sessions.terminal(record));
  }

  /** By btmp. */
  async failed(): Promise<LoginEvent[]> {
    const records = await this.#records('/var/log/btmp', 'failed logins');
    if (records.length > maxFailed)
      this.gaps.push({
        what: 'failed logins',
        reason: `${records.length} logins failed since the last report; only the last ${maxFailed} of them are reported.`,
      });
    return records.slice(-maxFailed).map(failedLogin);
  }

  /** Of sshd, by its log, or by the journal where it has none. */
  async messages(): Promise<LoginEvent[]> {
    for (const path of sshdLogs) {
      const added = await readAdded(this.#host.files, path, this.#positions[path]);
      if (added.is === 'absent') continue;
      return this.#parts(path, 'SSH keys of logins', added).flatMap((part) => this.#logged(path, part));
    }
    return (await this.#journalLines()).flatMap((line) => this.#sessions.message(line));
  }

  /** Of sshd, without a terminal. */
  withoutTerminal(): LoginEvent[] {
    return this.#sessions.withoutTerminal(this.#host.now());
  }

  async #records(path: string, what: string): Promise<UtmpRecord[]> {
    const added = await readAdded(this.#host.files, path, this.#positions[path]);
    return this.#parts(path, what, added).flatMap(({ position, start, bytes }) => {
      const layout = layoutOf(start);
      if (!layout) {
        // One that is being written is read when it is whole.
        if (start.length < 400) return [];
        this.gaps.push({ what, reason: `${path} is not in a known format of utmp.` });
        this.#advance(path, position, bytes.length);
        return [];
      }
      this.#advance(path, position, Math.floor(bytes.length / layout.size) * layout.size);
      return parseUtmp(bytes, layout);
    });
  }

  #logged(path: string, { position, bytes, isAtEnd, writtenAt }: Part): LoginEvent[] {
    const end = bytes.lastIndexOf('\n') + 1;
    // A line that fills the whole part is none of sshd.
    this.#advance(path, position, end === 0 && !isAtEnd ? bytes.length : end);
    const text = bytes.toString('utf8', 0, end);
    if (isAtEnd) this.#zone = zoneOf(text, writtenAt) ?? this.#zone;
    return parseAuthLog(text, this.#zone ?? 0, writtenAt).flatMap((line) => this.#sessions.message(line));
  }

  #parts(path: string, what: string, added: Reading<readonly Part[]>): readonly Part[] {
    if (added.is === 'absent') return [];
    this.hasLogs = true;
    if (added.is === 'unreadable') {
      this.gaps.push({ what, reason: added.reason });
      return [];
    }
    for (const { position } of added.value) this.#positions[path] = position;
    return added.value;
  }

  #advance(path: string, { inode, offset }: Position, by: number): void {
    this.#positions[path] = { inode, offset: offset + by };
  }

  async #journalLines(): Promise<readonly LoggedLine[]> {
    const { files, programs } = this.#host;
    const directory = await journalDirectory(files);
    if (directory === undefined) return [];
    this.hasLogs = true;
    const since = this.#journalAt === undefined ? '-24h' : `@${Math.floor(this.#journalAt / 1_000)}`;
    const output = await programs.output('journalctl', [
      ...['--quiet', '--no-pager', '--output=json', '--output-fields=MESSAGE,_PID', '--lines=5000'],
      ...['--identifier=sshd', '--identifier=sshd-session', `--directory=${directory}`],
      this.#journal === undefined ? `--since=${since}` : `--after-cursor=${this.#journal}`,
    ]);
    if (output.is !== 'read') {
      const reason =
        output.is === 'absent' ? 'Install journalctl: sshd only logs to the journal.' : output.reason;
      this.gaps.push({ what: 'SSH logins', reason });
      // Its cursor may have been rotated away.
      this.#journal = undefined;
      return [];
    }
    const { lines, cursor } = parseJournal(output.value.toString('utf8'));
    const known = this.#journal === undefined ? (this.#journalAt ?? 0) : 0;
    this.#journal = cursor ?? this.#journal;
    this.#journalAt = lines.at(-1)?.at ?? this.#journalAt;
    return lines.filter(({ at }) => at > known);
  }
}

/** Where the journal of the host is; without an option, the program would read that of the agent's container. */
async function journalDirectory(files: HostFiles): Promise<string | undefined> {
  for (const path of ['/var/log/journal', '/run/log/journal']) {
    const place = await files.place(path);
    if ((await files.status(path)).is === 'read' && place.is === 'read') return place.value;
  }
  return undefined;
}
