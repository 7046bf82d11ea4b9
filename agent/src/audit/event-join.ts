import { type AuditRecord, parseAuditRecord } from './audit-record.ts';
import { type Execution, executionOf } from './execution.ts';

/** Those of an execution; the last two end an event. */
const types = new Set(['SYSCALL', 'EXECVE', 'PATH', 'PROCTITLE', 'EOE']);
const ends = new Set(['PROCTITLE', 'EOE']);
/** Milliseconds after which no more records of an event are expected. */
const maxDuration = 2_000;
/** What waits for the rest of its event is stored. */
const maxWaiting = { events: 200, characters: 256 * 1024 };

export interface Joined {
  readonly executions: readonly Execution[];
  /** Lines of events that are not complete, to be joined with those that follow. */
  readonly waiting: readonly string[];
}

interface Event {
  readonly lines: string[];
  readonly records: AuditRecord[];
}

/** Joins records by their event; those of several events may be interleaved. `isLast`: nothing follows for now. */
export function joinEvents(lines: Iterable<string>, isLast: boolean): Joined {
  const open = new Map<string, Event>();
  const executions: Execution[] = [];
  const close = (key: string, { records }: Event) => {
    open.delete(key);
    const execution = executionOf(records);
    if (execution) executions.push(execution);
  };
  let latest = 0;
  for (const line of lines) {
    const record = parseAuditRecord(line);
    if (!record) continue;
    latest = Math.max(latest, record.at);
    if (!types.has(record.type)) continue;
    const event = open.get(record.event) ?? { lines: [], records: [] };
    event.lines.push(line);
    event.records.push(record);
    open.set(record.event, event);
    if (ends.has(record.type)) close(record.event, event);
    const [oldest] = open;
    if (oldest && open.size > maxWaiting.events) close(...oldest);
  }
  for (const [key, event] of open)
    if (isLast || latest - (event.records[0]?.at ?? 0) > maxDuration) close(key, event);
  let characters = 0;
  for (const [key, event] of open) {
    characters += event.lines.reduce((sum, line) => sum + line.length, 0);
    if (characters > maxWaiting.characters) close(key, event);
  }
  return { executions, waiting: [...open.values()].flatMap((event) => event.lines) };
}
