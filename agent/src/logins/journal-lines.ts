import type { LoggedLine } from './auth-log.ts';

export interface JournalLines {
  readonly lines: readonly LoggedLine[];
  /** Where the journal goes on. */
  readonly cursor?: string;
}

/** What `journalctl -o json` printed: an object in each line. */
export function parseJournal(text: string): JournalLines {
  const lines: LoggedLine[] = [];
  let cursor: string | undefined;
  for (const one of text.split('\n')) {
    const entry = parsed(one);
    if (!entry) continue;
    const { MESSAGE, _PID, __REALTIME_TIMESTAMP, __CURSOR } = entry;
    if (typeof __CURSOR === 'string' && isCursor(__CURSOR)) cursor = __CURSOR;
    const at = Math.floor(Number(__REALTIME_TIMESTAMP) / 1_000);
    // Messages that are not UTF-8 are arrays of bytes; those are not of sshd.
    if (typeof MESSAGE === 'string' && at > 0 && at < 2 ** 43)
      lines.push({ at, pid: Number(_PID) || 0, message: MESSAGE });
  }
  return { lines, ...(cursor !== undefined && { cursor }) };
}

/** It is passed to the program again. */
export function isCursor(text: unknown): text is string {
  return typeof text === 'string' && /^[A-Za-z0-9=;]{1,500}$/.test(text);
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
