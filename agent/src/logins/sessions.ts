import type { LoggedLine } from './auth-log.ts';
import { parseSshdMessage } from './sshd-messages.ts';
import { type UtmpRecord, utmpTypes } from './utmp.ts';

/** A login, a logoff, or a login that failed. */
export interface LoginEvent {
  readonly type: 'LOGIN' | 'LOGOFF' | 'FAILED_LOGIN';
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly user: string;
  readonly tty?: string;
  readonly address?: string;
  readonly host?: string;
  readonly keyType?: string;
  readonly fingerprint?: string;
}

/** A session that is open. */
type Session = Omit<LoginEvent, 'type'>;

/** One that sshd accepted, and that may have ended before its terminal was known. */
interface Accepted extends Session {
  readonly endedAt?: number;
}

/** JSON, for the cursor. */
export interface SessionState {
  /** By terminal. */
  readonly terminals: readonly (readonly [string, Session])[];
  /** By the process of sshd: those that were accepted, and wait for a terminal. */
  readonly accepted: readonly (readonly [number, Accepted])[];
  /** By the process of sshd: those without a terminal, such as copies of files. */
  readonly others: readonly (readonly [number, Session])[];
}

const maxSessions = 5_000;
/** After this time, an accepted session has no terminal. */
const terminalWithin = 20_000;
/** Between the message of sshd and the record of the terminal. Logs have whole seconds. */
const sameWithin = 60_000;

/** Follows the sessions of a host, by the records of terminals and the messages of sshd. */
export class Sessions {
  readonly #terminals: Map<string, Session>;
  readonly #accepted: Map<number, Accepted>;
  readonly #others: Map<number, Session>;

  constructor(state?: SessionState) {
    this.#terminals = new Map(state?.terminals);
    this.#accepted = new Map(state?.accepted);
    this.#others = new Map(state?.others);
  }

  get state(): SessionState {
    return {
      terminals: [...this.#terminals].slice(-maxSessions),
      accepted: [...this.#accepted].slice(-maxSessions),
      others: [...this.#others].slice(-maxSessions),
    };
  }

  /** A record of wtmp. */
  terminal(record: UtmpRecord): LoginEvent[] {
    const { type, line, user, at } = record;
    switch (type) {
      case utmpTypes.login: {
        if (user === '') return [];
        const session = { ...sessionOf(record), ...this.#keyOf(record) };
        this.#terminals.delete(line);
        this.#terminals.set(line, session);
        return [{ type: 'LOGIN', ...session }];
      }
      case utmpTypes.logoff: {
        const session = this.#terminals.get(line);
        this.#terminals.delete(line);
        return session ? [logoffOf(session, at)] : [];
      }
      case utmpTypes.boot:
        return this.#end(at);
      case utmpTypes.shutdown:
        return user === 'shutdown' ? this.#end(at) : [];
      default:
        return [];
    }
  }

  /** A message of sshd. */
  message({ at, pid, message }: LoggedLine): LoginEvent[] {
    const said = parseSshdMessage(message);
    if (said?.is === 'accepted') {
      const { is: _, ...session } = said;
      if (this.#accepted.size < maxSessions) this.#accepted.set(pid, { ...session, at });
      return [];
    }
    if (said?.is !== 'closed') return [];
    const waiting = this.#accepted.get(pid);
    if (waiting) {
      this.#accepted.set(pid, { ...waiting, endedAt: at });
      return [];
    }
    const session = this.#others.get(pid);
    this.#others.delete(pid);
    return session ? [logoffOf(session, at)] : [];
  }

  /** The logins whose terminal did not come. */
  withoutTerminal(now: number): LoginEvent[] {
    return [...this.#accepted].flatMap(([pid, waiting]) => {
      if (waiting.at + terminalWithin > now) return [];
      this.#accepted.delete(pid);
      const { endedAt, ...session } = waiting;
      const login: LoginEvent = { type: 'LOGIN', ...session };
      if (endedAt !== undefined) return [login, logoffOf(session, endedAt)];
      this.#others.set(pid, session);
      return [login];
    });
  }

  /** The key that sshd accepted for the session of a terminal. */
  #keyOf({ user, address, at }: UtmpRecord): Pick<Session, 'keyType' | 'fingerprint'> {
    for (const [pid, session] of this.#accepted) {
      if (session.user !== user || session.address !== address) continue;
      if (Math.abs(session.at - at) > sameWithin) continue;
      this.#accepted.delete(pid);
      const { keyType, fingerprint } = session;
      return keyType !== undefined && fingerprint !== undefined ? { keyType, fingerprint } : {};
    }
    return {};
  }

  /** The host stopped, and all sessions with it. */
  #end(at: number): LoginEvent[] {
    const open = [...this.#terminals.values(), ...this.#others.values()].filter((one) => one.at <= at);
    this.#terminals.clear();
    for (const [pid, session] of this.#others) if (session.at <= at) this.#others.delete(pid);
    return open.map((session) => logoffOf(session, at));
  }
}

/** A failed login of btmp. */
export function failedLogin(record: UtmpRecord): LoginEvent {
  return { type: 'FAILED_LOGIN', ...sessionOf(record) };
}

function sessionOf({ at, user, line, host, address }: UtmpRecord): Session {
  const name = host.split('%')[0];
  // Displays such as `:0` are no hosts.
  const hasName = name !== '' && name !== address && !host.startsWith(':');
  return {
    ...{ at, user },
    ...(line !== '' && { tty: line }),
    ...(address !== undefined && { address }),
    ...(hasName && { host }),
  };
}

function logoffOf({ keyType: _, fingerprint: __, ...session }: Session, at: number): LoginEvent {
  return { type: 'LOGOFF', ...session, at };
}
