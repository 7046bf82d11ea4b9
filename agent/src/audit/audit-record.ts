/** A line of the audit log: one of the records of an event. */
export interface AuditRecord {
  /** `SYSCALL`, `EXECVE`. */
  readonly type: string;
  /** The time and serial number, which all records of an event have. */
  readonly event: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The values as written: quoted, hexadecimal or plain. */
  readonly fields: ReadonlyMap<string, string>;
}

const header = /^(?:node=\S{1,255} )?type=([A-Z0-9_]{1,40}) msg=audit\((\d{1,11})\.(\d{3}):(\d{1,20})\):/;
const field = /([A-Za-z0-9_[\]-]{1,40})=("[^"]*"|\S*)/g;
/** Separates what auditd adds for readers: names of users and system calls. */
const enrichment = '\x1d';

/** Undefined if the line is not a record. */
export function parseAuditRecord(line: string): AuditRecord | undefined {
  const match = header.exec(line);
  if (!match) return undefined;
  const [whole, type = '', seconds = '', milliseconds = '', serial = ''] = match;
  const [content = ''] = line.slice(whole.length).split(enrichment, 1);
  const fields = new Map<string, string>();
  for (const [, name = '', value = ''] of content.matchAll(field)) fields.set(name, value);
  const at = Number(seconds) * 1000 + Number(milliseconds);
  return { type, event: `${seconds}.${milliseconds}:${serial}`, at, fields };
}

/** Strings with special characters are written as hexadecimal digits, others in quotes. */
export function decodedString(value: string | undefined): string | undefined {
  if (value === undefined || value === '(null)' || value === '') return undefined;
  if (value.startsWith('"')) return value.slice(1, value.endsWith('"') ? -1 : undefined);
  if (/^(?:[0-9A-Fa-f]{2})+$/.test(value)) return Buffer.from(value, 'hex').toString('utf8');
  return value;
}

/** An id of a process, user or group. */
export function decodedId(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,10}$/.test(value) ? Number(value) : undefined;
}
