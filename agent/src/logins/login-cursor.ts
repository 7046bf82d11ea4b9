import type { Position } from './followed-file.ts';
import { isCursor } from './journal-lines.ts';
import type { SessionState } from './sessions.ts';

/** Where the logs of a host were read up to. */
export interface LoginCursor {
  /** By path. */
  readonly positions: Readonly<Record<string, Position>>;
  readonly journal?: string;
  /** When the last line of the journal was written, in milliseconds since the epoch. */
  readonly journalAt?: number;
  /** How far the log of sshd is ahead of UTC, in milliseconds. */
  readonly zone?: number;
  readonly sessions: SessionState;
}

/** Undefined if it is damaged: then everything begins again. */
export function checkedCursor(value: unknown): LoginCursor | undefined {
  if (!isObject(value) || !isObject(value.positions) || !isObject(value.sessions)) return undefined;
  const { positions, journal, journalAt, zone, sessions } = value;
  const lists = [sessions.terminals, sessions.accepted, sessions.others];
  if (!Object.values(positions).every(isPosition) || !lists.every(isSessions)) return undefined;
  if (journal !== undefined && !isCursor(journal)) return undefined;
  if (journalAt !== undefined && !isCount(journalAt)) return undefined;
  if (zone !== undefined && !Number.isSafeInteger(zone)) return undefined;
  return value as unknown as LoginCursor;
}

function isPosition(value: unknown): boolean {
  return isObject(value) && typeof value.inode === 'string' && isCount(value.offset);
}

function isSessions(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (one) =>
        Array.isArray(one) && isObject(one[1]) && typeof one[1].user === 'string' && isCount(one[1].at),
    )
  );
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
