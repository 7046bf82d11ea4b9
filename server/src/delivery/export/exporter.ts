import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ControlStore } from '../../control/store.ts';
import type { IntegrationRow } from '../../integrations/record.ts';
import type { S3 } from '../../outbound/aws/s3.ts';
import { OutboundError } from '../../outbound/outbound.ts';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/errors.ts';
import { FairWorkers } from '../../platform/fair-workers.ts';
import type { Log } from '../../platform/log.ts';
import { ruleOf } from '../../rules/record.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { truncate } from '../bounded-string.ts';
import { recordOutcome } from '../channel-state.ts';
import { heldSince } from '../hold.ts';
import { ExportPlan } from './export-plan.ts';
import { ExportQueue, type ExportRow } from './export-queue.ts';
import {
  dataKey,
  type ExportedHour,
  type ExportedObject,
  holderOf,
  hourLength,
  manifestKey,
  manifestOf,
} from './layout.ts';

export interface ExporterDeps {
  readonly store: ControlStore;
  readonly telemetry: Pick<Telemetry, 'arrivals' | 'epoch'>;
  readonly s3: Pick<S3, 'put'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Telemetry node id. */
  readonly place: string;
  /** Unique name of the data directory. */
  readonly node: string;
  /** Paths of the exported datasets. */
  readonly datasets: readonly string[];
}

interface Target {
  readonly account: string;
  readonly channel: IntegrationRow;
}

interface Bucket {
  readonly roleArn: string;
  readonly externalId: string;
  readonly bucketArn: string;
}

const gzipped = promisify(gzip);
const maxProblemLength = 1_000;
const disabled = 'The rule or its channel is disabled, or the rule does not name the channel any more.';

/** The process stops; the next start repeats the hour. */
class ExportStopped extends Error {}

/** Concurrent hours, one per account: memory holds a part of each. */
const concurrency = { capacity: 2, reserve: 1 };

/** Exports finished hours of telemetry to buckets, sequentially per account. */
export class Exporter {
  readonly #deps: ExporterDeps;
  readonly #plan: ExportPlan;
  readonly #queue: ExportQueue;
  readonly #workers: FairWorkers<ExportRow>;
  #isStopping = false;

  constructor(deps: ExporterDeps) {
    this.#deps = deps;
    this.#plan = new ExportPlan(deps);
    const queue = new ExportQueue(deps);
    this.#queue = queue;
    this.#workers = new FairWorkers({
      limits: concurrency,
      accounts: async () => ((await heldSince(deps.store.read)) === undefined ? queue.accounts() : []),
      take: (account) => queue.take(account),
      work: (row) => this.#export(row),
      failed: (error) => deps.log.error({ error: String(error) }, 'an export was lost'),
    });
  }

  /** Exports all due hours, unless deliveries are held. */
  async run(): Promise<void> {
    await this.poll();
    await this.settled();
  }

  /** Starts due exports without waiting for them. */
  async poll(): Promise<void> {
    await this.#plan.update();
    await this.#workers.poll();
  }

  /** Resolves when no export is running. */
  settled(): Promise<void> {
    return this.#workers.settled();
  }

  get running(): number {
    return this.#workers.running;
  }

  /** Deletes jobs for records before `before`, which are deleted. */
  deleteBefore(before: number): Promise<void> {
    return this.#plan.deleteBefore(before);
  }

  /** Running exports stop after their current part. */
  stop(): void {
    this.#isStopping = true;
    this.#workers.stop();
  }

  async #export(row: ExportRow): Promise<void> {
    const { store, clock, log } = this.#deps;
    const target = await this.#targetOf(row);
    const { rule_id, channel_id } = row;
    if (!target)
      return store.housekeeping((tx) => this.#queue.failed(tx, row, disabled, { rule_id, channel_id }));
    const startedAt = clock.now();
    const times = () => ({ startedAt, now: clock.now() });
    try {
      const { records, manifest } = await this.#write(row, target);
      await store.housekeeping(async (tx) => {
        await this.#queue.written(tx, row, records, manifest);
        await recordOutcome(tx, target.channel, { problem: undefined, external: undefined }, times());
      });
    } catch (error) {
      if (error instanceof ExportStopped) return this.#queue.release(row);
      const isOfChannel = error instanceof OutboundError;
      const isPresentable = isOfChannel || error instanceof Refusal;
      if (!isPresentable) log.error({ dataset: row.dataset, error: String(error) }, 'an export failed');
      const message = isPresentable
        ? truncate(error.message, maxProblemLength)
        : 'The export failed: see the log of the service.';
      await store.housekeeping(async (tx) => {
        await this.#queue.failed(tx, row, message, isOfChannel ? { channel_id } : undefined);
        if (isOfChannel)
          await recordOutcome(tx, target.channel, { problem: { message, isFinal: false } }, times());
      });
    }
  }

  /** Writes the parts, then the manifest that marks the hour as complete. */
  async #write(row: ExportRow, { account, channel }: Target): Promise<{ records: number; manifest: string }> {
    const { telemetry, s3, node } = this.#deps;
    const { dataset, hour } = row;
    const epoch = await telemetry.epoch();
    const exported: ExportedHour = { account, dataset, hour, holder: holderOf(node, epoch) };
    const { bucketArn, ...role } = bucketOf(channel);
    const range = { start: hour, end: hour + hourLength };
    const objects: ExportedObject[] = [];
    for await (const some of telemetry.arrivals({ account: row.owner_id, path: dataset, range })) {
      if (this.#isStopping) throw new ExportStopped();
      const body = await gzipped(some.text);
      const key = await s3.put(
        { bucketArn, key: dataKey(exported, objects.length), body, contentType: 'application/gzip' },
        role,
      );
      const sha256 = createHash('sha256').update(body).digest('hex');
      objects.push({ key, records: some.records, bytes: body.length, sha256 });
      await this.#queue.renew(row);
    }
    if ((await telemetry.epoch()) !== epoch)
      throw new Refusal(
        'UNAVAILABLE',
        'A backup was restored during the export: the hour is exported again.',
      );
    const manifest = await s3.put(
      {
        ...{ bucketArn, key: manifestKey(exported), contentType: 'application/json' },
        body: manifestOf(exported, objects),
      },
      role,
    );
    return { records: objects.reduce((sum, { records }) => sum + records, 0), manifest };
  }

  /** The target by current rule and channel; undefined if either disables the export. */
  async #targetOf({ owner_id, rule_id, channel_id }: ExportRow): Promise<Target | undefined> {
    const { read } = this.#deps.store;
    const rule = await read.selectFrom('rules').selectAll().where('id', '=', rule_id).executeTakeFirst();
    const channel = await read
      .selectFrom('integrations')
      .selectAll()
      .where('id', '=', channel_id)
      .where('type', '=', 'AwsS3')
      .where('enabled', '=', 1)
      .executeTakeFirst();
    const account = await read
      .selectFrom('accounts')
      .select('name')
      .where('id', '=', owner_id)
      .executeTakeFirst();
    if (!rule || !channel || !account || channel.owner_id !== rule.owner_id) return undefined;
    const { filters, intgGuidList } = ruleOf(rule);
    return filters.enabled && intgGuidList.includes(channel_id)
      ? { account: account.name, channel }
      : undefined;
  }
}

function bucketOf({ data }: IntegrationRow): Bucket {
  const { s3CrossAccountCredentials } = JSON.parse(data) as { s3CrossAccountCredentials: Bucket };
  const { roleArn, externalId, bucketArn } = s3CrossAccountCredentials;
  return { roleArn, externalId, bucketArn };
}
