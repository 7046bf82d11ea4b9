import { sql } from 'kysely';
import type { ControlStore, ControlTransaction } from '../../control/store.ts';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/errors.ts';
import { newSortableId } from '../../platform/ids.ts';
import { formatInstant } from '../../platform/instant.ts';
import type { Log } from '../../platform/log.ts';
import { events } from '../../telemetry/datasets/Events.ts';
import type { Intake } from '../../telemetry/intake.ts';
import { wrappedLimits } from '../../telemetry/record-bounds.ts';
import { eventOf } from './entities.ts';
import { stringifyExact } from './exact-json.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';

/** The violations of an alert, for its evidence. */
export interface AlertEvidence {
  readonly ownerId: string;
  readonly alertId: number;
  readonly alertType: string;
  readonly windowStart: number;
  readonly subject: Subject;
  readonly rows: readonly Row[];
  /** Total number of violations, including those without evidence. */
  readonly total: number;
}

export interface EvidenceDeps {
  readonly store: Pick<ControlStore, 'read' | 'housekeeping'>;
  readonly intake: Pick<Intake, 'ingest'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly place: string;
}

const hour = 3_600_000;
const batchLength = 512 * 1024;
/** Limited to what the engine commits together. */
const batchesAtOnce = 16;

/**
 * Evidence of alerts, stored as Events. The transaction that raises the alert writes it to the outbox table; afterwards
 * it is ingested under a fixed idempotency key.
 */
export class Evidence {
  readonly #deps: EvidenceDeps;
  #storing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(deps: EvidenceDeps) {
    this.#deps = deps;
  }

  async keep(tx: ControlTransaction, evidence: AlertEvidence): Promise<void> {
    const { clock, place } = this.#deps;
    for (const records of batchesOf(recordsOf(evidence))) {
      const row = { id: newSortableId(clock.now()), owner_id: evidence.ownerId, place, records };
      await tx.insertInto('evidence').values(row).execute();
    }
  }

  /** Ingests the committed evidence of this node. */
  store(): Promise<void> {
    // Calls during a run share the next run.
    this.#next ??= this.#storing.then(() => {
      this.#next = undefined;
      return this.#storeAll();
    });
    this.#storing = this.#next.catch(() => undefined);
    return this.#next;
  }

  async #storeAll(): Promise<void> {
    const { store } = this.#deps;
    for (;;) {
      const rows = await this.#waiting();
      if (rows.length === 0) return;
      const outcomes = await Promise.allSettled(
        rows.map((row) => this.#ingest(row.owner_id, row.records, row.id)),
      );
      const ids = rows.flatMap(({ id }, at) => (outcomes[at]?.status === 'fulfilled' ? [id] : []));
      if (ids.length > 0)
        await store.housekeeping((tx) => tx.deleteFrom('evidence').where('id', 'in', ids).execute());
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    }
  }

  /** A fair selection: the oldest row of each account before a second of any. */
  async #waiting() {
    const { store, place } = this.#deps;
    const chosen = await store.read
      .selectFrom('evidence')
      .select('id')
      .where('place', '=', place)
      .orderBy(sql`row_number() over (partition by owner_id order by id)`)
      .orderBy('id')
      .limit(batchesAtOnce)
      .execute();
    if (chosen.length === 0) return [];
    const ids = chosen.map(({ id }) => id);
    return store.read.selectFrom('evidence').selectAll().where('id', 'in', ids).execute();
  }

  async #ingest(account: string, body: string, id: string): Promise<void> {
    const { intake, log } = this.#deps;
    const request = { account, dataset: events, form: 'lines', limits: wrappedLimits } as const;
    try {
      await intake.ingest({ ...request, body, idempotencyKey: id });
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      const records = body.trimEnd().split('\n');
      // Isolate the rejected record: ingest the others one by one.
      if (records.length > 1) {
        for (const [at, record] of records.entries()) await this.#ingest(account, record, `${id}-${at}`);
        return;
      }
      // A retry would fail again and block later evidence.
      log.error({ error: error.message }, 'alert evidence was rejected and dropped');
    }
  }
}

function* batchesOf(records: Iterable<string>): Generator<string> {
  let batch = '';
  for (const record of records) {
    batch += `${record}\n`;
    if (batch.length < batchLength) continue;
    yield batch;
    batch = '';
  }
  if (batch !== '') yield batch;
}

function* recordsOf({
  alertId,
  alertType,
  windowStart,
  subject,
  rows,
  total,
}: AlertEvidence): Generator<string> {
  for (const row of rows) {
    yield stringifyExact({
      id: alertId,
      startTime: formatInstant(windowStart),
      endTime: formatInstant(windowStart + hour),
      eventType: alertType,
      srcType: subject.evidence,
      srcEvent: sourceOf(row, subject),
      eventCount: total,
    });
  }
}

/** The source event: the documented members of a CloudTrail event; for other rows, the columns in lower case. */
function sourceOf(row: Row, subject: Subject): object {
  const event = eventOf(row, subject);
  if (!event) {
    return Object.fromEntries(
      Object.entries(row).flatMap(([name, value]) => (value === null ? [] : [[name.toLowerCase(), value]])),
    );
  }
  const { raw } = event;
  return {
    awsRegion: event.region,
    eventName: event.api,
    eventSource: event.service,
    eventTime: raw.eventTime,
    recipientAccountId: event.account,
    sourceIPAddress: event.address,
    principalId: event.principalId,
    username: event.userName,
    userIdentity: raw.userIdentity,
    userIdentityAccount: event.userAccount,
    ...(event.identityName !== '' && { userIdentityName: event.identityName }),
    userIdentityType: event.identityType,
    is_assumed_role: event.isAssumedRole,
    mfa: String(event.mfa),
    ...(raw.errorCode !== undefined && { errorCode: raw.errorCode }),
    ...(raw.requestParameters !== undefined && { requestParameters: raw.requestParameters }),
    ...(raw.additionalEventData !== undefined && { additionalEventInfo: raw.additionalEventData }),
    event: raw,
  };
}
