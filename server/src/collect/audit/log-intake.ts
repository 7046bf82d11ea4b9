import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/errors.ts';
import { FairQueue } from '../../platform/fair-queue.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import type { Intake } from '../../telemetry/intake.ts';
import type { AccountOf } from './account-targets.ts';
import { LogFault } from './formats/log-fault.ts';
import { type LogFormatName, logFormats } from './formats/log-formats.ts';
import type { LogPart, LogReply, LogRequest } from './formats/log-reader.ts';
import type { LogObject } from './source.ts';

export interface LogIntakeDeps {
  readonly intake: Pick<Intake, 'ingest'>;
  readonly pool: Pick<WorkerPool<LogRequest, LogReply>, 'run'>;
  readonly clock: Clock;
}

export interface LogContext {
  /** Owner of the integration, for fair scheduling. */
  readonly owner: string;
  readonly format: LogFormatName;
  readonly accountOf: AccountOf;
  /** Bytes that are stored already. */
  readonly offset: number;
  readonly signal: AbortSignal;
}

/** What was stored of a log. */
export interface StoredLog {
  readonly stored: number;
  /** Records that were stored before. */
  readonly repeated: number;
  /** Records that can not be stored, and why the first can not. */
  readonly refused: number;
  readonly refusal: string | undefined;
  /** Bytes that are stored now. */
  readonly offset: number;
}

/** Logs in memory at a time, of all accounts; each with its bytes and one part of its records. */
const concurrency = 6;

/** Fetches logs, reads them in threads and stores their records, each once. */
export class LogIntake {
  readonly #deps: LogIntakeDeps;
  readonly #queue = new FairQueue({ noun: 'audit log', concurrency });

  constructor(deps: LogIntakeDeps) {
    this.#deps = deps;
  }

  get running(): number {
    return this.#queue.running;
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /** The records are durable when it resolves. Throws a `LogFault` for a log that can not be read. */
  store(object: LogObject, context: LogContext): Promise<StoredLog> {
    return this.#queue.run(context.owner, () => this.#store(object, context), context.signal);
  }

  async #store(
    object: LogObject,
    { owner, format, accountOf, offset, signal }: LogContext,
  ): Promise<StoredLog> {
    let result: StoredLog = { stored: 0, repeated: 0, refused: 0, refusal: undefined, offset };
    const bytes = await object.fetch(offset, signal);
    const isGrowing = object.isGrowing ?? false;
    for (let skip: number | undefined = bytes ? 0 : undefined; bytes && skip !== undefined; ) {
      const request = { format, bytes, skip, isGrowing, now: this.#deps.clock.now() };
      const part = await this.#read(owner, request, signal);
      const stored = await this.#ingest(part, format, accountOf);
      result = {
        stored: result.stored + stored,
        repeated: result.repeated + part.records - stored,
        refused: result.refused + part.refused,
        refusal: result.refusal ?? part.refusal,
        offset: offset + part.end,
      };
      skip = part.next;
    }
    return result;
  }

  async #read(owner: string, request: LogRequest, signal: AbortSignal): Promise<LogPart> {
    const reply = await this.#deps.pool.run(owner, request, signal).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'RESULT_TOO_LARGE')
        throw new LogFault('needs too much memory to be read');
      throw error;
    });
    if ('fault' in reply) throw new LogFault(reply.fault);
    return reply;
  }

  /** Returns how many records were not stored before. */
  async #ingest({ bodies }: LogPart, format: LogFormatName, accountOf: AccountOf): Promise<number> {
    const { dataset } = logFormats[format];
    const byAccount = new Map<string, string[]>();
    for (const { cloudAccount, lines } of bodies) {
      const account = accountOf(cloudAccount);
      byAccount.set(account, [...(byAccount.get(account) ?? []), lines]);
    }
    let stored = 0;
    for (const [account, lines] of byAccount) {
      const { records, isRepeat } = await this.#deps.intake.ingest({
        ...{ account, dataset, form: 'lines', isDistinct: true },
        body: lines.join('\n'),
        idempotencyKey: undefined,
      });
      if (!isRepeat) stored += records;
    }
    return stored;
  }
}
