import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { AccountOf } from './account-targets.ts';
import type { AuditCounts } from './audit-metrics.ts';
import { LogFault } from './formats/log-fault.ts';
import { type Integration, type Ledger, maxAttempts, type ObjectOutcome } from './ledger.ts';
import type { LogIntake } from './log-intake.ts';
import type { RunStatus } from './run-status.ts';
import {
  type Announcement,
  type AuditSource,
  hiddenSeconds,
  type LogObject,
  type QueueMessage,
} from './source.ts';

export interface QueueRunDeps {
  readonly integration: Integration;
  readonly source: AuditSource;
  readonly accountOf: AccountOf;
  readonly logs: LogIntake;
  readonly ledger: Ledger;
  readonly counts: AuditCounts;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds between two extensions of the time for which messages are hidden. */
  readonly heartbeat: number | undefined;
}

/** Undefined once the object needs no further attempt; else the attempts so far. */
type Attempts = number | undefined;

const defaultHeartbeat = (hiddenSeconds * 1_000) / 3;
const firstPause = 60;
const growingPause = 60_000;
const maxGrowing = 100;
const longestPause = 3_600;

/** Reads messages of a queue, stores what they announce, and deletes them once it is durable. */
export class QueueRun {
  readonly #deps: QueueRunDeps;

  #status: RunStatus | undefined;

  constructor(deps: QueueRunDeps) {
    this.#deps = deps;
  }

  /** Handles the next messages; false if there are none or the queue can not be read. */
  async next(status: RunStatus, signal: AbortSignal): Promise<boolean> {
    const { source, counts, clock } = this.#deps;
    this.#status = status;
    const messages = await source.receive(signal).catch((error: unknown) => {
      if (!signal.aborted) this.#failed('receive', error);
      return undefined;
    });
    if (!messages || messages.length === 0) return false;
    status.received(clock.now());
    counts.messages += messages.length;
    const release = this.#keepHidden(messages, signal);
    try {
      await this.#handle(messages, signal);
    } finally {
      release();
    }
    return true;
  }

  /** Reads on in logs that grow without further messages. */
  async follow(status: RunStatus, signal: AbortSignal): Promise<void> {
    const { source, ledger, integration, clock } = this.#deps;
    if (!source.reopen) return;
    this.#status = status;
    const growing = await ledger.growing(integration, clock.now() - growingPause, maxGrowing);
    const objects = growing.map((row) => ({ row, object: source.reopen?.(row.name ?? '') }));
    const complete = objects.filter(({ object }) => !object).map(({ row }) => completed(row));
    await ledger.record(integration, complete);
    await this.#attemptAll(
      objects.flatMap(({ object }) => object ?? []),
      signal,
    );
  }

  async #handle(messages: readonly QueueMessage[], signal: AbortSignal): Promise<void> {
    const { source, ledger, integration, counts } = this.#deps;
    const refused: ObjectOutcome[] = [];
    const unreadable: QueueMessage[] = [];
    const announcements = source.decode(messages, (message, reason) => {
      counts.setAside++;
      unreadable.push(message);
      refused.push(setAside(`message ${message.id}`, `message ${message.id}`, `The message ${reason}.`));
    });
    await ledger.record(integration, refused);
    const attempts = await this.#attemptAll(
      announcements.flatMap(({ objects }) => objects),
      signal,
    );
    const attemptsOf = ({ objects }: Announcement) =>
      Math.max(0, ...objects.map((object) => attempts.get(keyOf(object)) ?? 0));
    const isDone = (each: Announcement) => attemptsOf(each) === 0;
    await this.#delete(
      [...unreadable, ...announcements.filter(isDone).flatMap((each) => each.messages)],
      signal,
    );
    for (const failed of announcements.filter((each) => !isDone(each))) {
      const pause = signal.aborted ? 0 : pauseAfter(attemptsOf(failed));
      await this.#hide(failed.messages, pause);
    }
  }

  /** By key of the object: the attempts so far of those to be tried again. */
  async #attemptAll(objects: readonly LogObject[], signal: AbortSignal): Promise<Map<string, Attempts>> {
    const { ledger, integration, counts } = this.#deps;
    const unique = [...new Map(objects.map((object) => [keyOf(object), object])).entries()];
    const known = await ledger.known(
      integration,
      unique.flatMap(([, { identity }]) => identity ?? []),
    );
    const outcomes: ObjectOutcome[] = [];
    const attempts = new Map<string, Attempts>();
    await Promise.all(
      unique.map(async ([key, object]) => {
        const before = object.identity === undefined ? undefined : known.get(object.identity);
        if (before && (before.state === 'stored' || before.state === 'set aside')) {
          counts.repeatedObjects++;
          return;
        }
        const outcome = await this.#attempt(object, before?.attempts ?? 0, before?.bytes ?? 0, signal);
        if (!outcome) attempts.set(key, before?.attempts || 1);
        else {
          if (object.identity !== undefined || outcome.state !== 'stored') outcomes.push(outcome);
          if (outcome.state === 'failed') attempts.set(key, outcome.attempts);
        }
      }),
    );
    await ledger.record(integration, outcomes);
    return attempts;
  }

  /** Undefined if it was interrupted. */
  async #attempt(
    object: LogObject,
    attempts: number,
    offset: number,
    signal: AbortSignal,
  ): Promise<ObjectOutcome | undefined> {
    const { source, integration, logs, accountOf, counts } = this.#deps;
    const { name, identity = name } = object;
    try {
      const context = { owner: integration.owner_id, format: source.format, accountOf, offset, signal };
      const stored = await logs.store(object, context);
      counts.objects++;
      counts.records += stored.stored;
      counts.repeatedRecords += stored.repeated;
      counts.refusedRecords += stored.refused;
      const state = object.isGrowing ? 'growing' : 'stored';
      if (stored.refused > 0) {
        counts.setAside++;
        const reason = `${stored.refused} records can not be stored; the first: ${stored.refusal}`;
        return {
          ...setAside(identity, name, reason),
          ...(object.isGrowing && { state, bytes: stored.offset }),
        };
      }
      const reopened = object.isGrowing ? name : null;
      return { identity, state, attempts: 0, bytes: stored.offset, name: reopened, reason: null };
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof LogFault) {
        counts.setAside++;
        return setAside(identity, name, `The object ${error.message}.`);
      }
      const reason = this.#failed('get', error);
      if (attempts + 1 === maxAttempts) counts.setAside++;
      return { identity, state: 'failed', attempts: attempts + 1, bytes: offset, name, reason };
    }
  }

  async #delete(messages: readonly QueueMessage[], signal: AbortSignal): Promise<void> {
    const { source, counts } = this.#deps;
    if (messages.length === 0) return;
    try {
      await source.delete(messages, signal.aborted ? AbortSignal.timeout(2_000) : signal);
      counts.deletedMessages += messages.length;
    } catch (error) {
      // They are delivered again, and found to be stored.
      this.#failed('delete', error);
    }
  }

  async #hide(messages: readonly QueueMessage[], seconds: number): Promise<void> {
    const { source, log } = this.#deps;
    await source
      .hide(messages, seconds, AbortSignal.timeout(seconds === 0 ? 2_000 : 30_000))
      .catch((error: unknown) =>
        log.warn({ error: String(error) }, 'messages of an audit log could not be postponed'),
      );
  }

  /** Other readers do not get the messages while they are handled. */
  #keepHidden(messages: readonly QueueMessage[], signal: AbortSignal): () => void {
    const { heartbeat = defaultHeartbeat } = this.#deps;
    const extend = () => void (signal.aborted || this.#hide(messages, hiddenSeconds));
    const timer = setInterval(extend, heartbeat).unref();
    return () => clearInterval(timer);
  }

  #failed(step: 'receive' | 'get' | 'delete', error: unknown): string {
    const { log, integration } = this.#deps;
    log.warn({ integration: integration.id, step, error: String(error) }, 'an audit log could not be read');
    return this.#status?.fail(step, error) ?? '';
  }
}

function setAside(identity: string, name: string, reason: string): ObjectOutcome {
  return { identity, state: 'set aside', attempts: 1, bytes: 0, name, reason };
}

/** A log that grows no more. */
function completed({ identity, bytes, name, reason }: Omit<ObjectOutcome, 'state'>): ObjectOutcome {
  if (reason !== null) return setAside(identity, name ?? '', reason);
  return { identity, state: 'stored', attempts: 0, bytes, name: null, reason: null };
}

function keyOf({ identity, name }: LogObject): string {
  return identity ?? name;
}

function pauseAfter(attempts: number): number {
  return attempts >= maxAttempts ? longestPause : Math.min(firstPause * 2 ** (attempts - 1), longestPause);
}
