import type { Host } from '../host/host.ts';
import type { Gap, Observation, Observed, Source } from '../source.ts';
import { timestamp } from '../timestamp.ts';
import { joinEvents } from './event-join.ts';
import type { Execution } from './execution.ts';
import { type LogCursor, parseLogCursor } from './log-cursor.ts';
import { type FindProcess, ParentPrograms } from './parent-programs.ts';
import { type LogLimits, RotatedLog } from './rotated-log.ts';

const what = 'short-lived programs';
const none = {
  what,
  reason:
    'Without /var/log/audit/audit.log, programs are sampled: install auditd, and add the rule -a always,exit -F arch=b64 -S execve,execveat.',
};
/** The server refuses what is more than a day ahead. */
const maxAhead = 3_600_000;
/** Milliseconds without an execution after which auditd seems to be without its rule. */
const reportingFor = 3_600_000;

export interface AuditDeps {
  /** Masks secrets. */
  readonly redact: (commandLine: string) => string;
  /** The running process that had the pid at the time. */
  readonly processAt?: FindProcess;
  readonly path?: string;
  readonly limits?: LogLimits;
}

/** Reports the programs that were started, from the log of auditd. */
export class AuditSource implements Source {
  readonly name = 'audit';
  readonly interval = 5_000;
  readonly #redact: AuditDeps['redact'];
  readonly #path: string;
  readonly #limits: LogLimits | undefined;
  readonly #parents: ParentPrograms;
  #executionAt = -Infinity;

  constructor({ redact, processAt = () => undefined, path = '/var/log/audit/audit.log', limits }: AuditDeps) {
    this.#redact = redact;
    this.#parents = new ParentPrograms(processAt);
    this.#path = path;
    this.#limits = limits;
  }

  /** Whether auditd has the rule that logs executions. */
  isReporting(now: number): boolean {
    return now - this.#executionAt < reportingFor;
  }

  /** Begins at the end of the log, because what happened before the agent was installed is not monitored. */
  async observe(host: Host, cursor: unknown): Promise<Observation> {
    const log = new RotatedLog(host.files, this.#path, this.#limits);
    const known = parseLogCursor(cursor);
    if (!known) {
      const end = await log.end();
      if (end.is !== 'read') return missing(end.is === 'absent' ? none : { what, reason: end.reason });
      const start: LogCursor = { ...end.value, waiting: [] };
      return { records: {}, gaps: [], cursor: start };
    }
    const reading = await log.linesFrom(known);
    if (reading.is !== 'read')
      return missing(reading.is === 'absent' ? none : { what, reason: reading.reason });
    const { lines, inode, offset, isAtEnd, missed } = reading.value;
    const isIdle = lines.length === 0 && isAtEnd;
    const { executions, waiting } = joinEvents([...known.waiting, ...lines], isIdle);
    if (executions.length > 0) this.#executionAt = host.now();
    const isSame = inode === known.inode && offset === known.offset && isIdle && known.waiting.length === 0;
    const next: LogCursor = { inode, offset, waiting };
    return {
      records: { LW_HA_SYSCALLS_EXEC: executions.map((one) => this.#record(one, host.now())) },
      gaps: missed === undefined ? [] : [{ what: 'some executed programs', reason: missed }],
      ...(!isSame && { cursor: next }),
    };
  }

  #record(one: Execution, now: number): Observed {
    const { at, parameters, ...execution } = one;
    const parentExePath = this.#parents.add(one);
    const createdTime = timestamp(at > now + maxAhead ? now : at);
    const cmdline = this.#redact(parameters.join(' '));
    return {
      ...{ createdTime, ...execution },
      ...(cmdline !== '' && { cmdline }),
      ...(parentExePath !== undefined && { parentExePath }),
      ...{ count: 1, os: 'linux' },
    };
  }
}

function missing(gap: Gap): Observation {
  return { records: {}, gaps: [gap] };
}
