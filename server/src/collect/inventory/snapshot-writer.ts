import type { Resource } from '../../telemetry/resource.ts';
import { digestOf, maxDigested, snapshotDigestOf } from '../../telemetry/resource-digest.ts';
import { resourceLimits } from '../../telemetry/resource-form.ts';
import type {
  ScopeStatus,
  SnapshotEffect,
  SnapshotEnd,
  SnapshotId,
  UnreadResource,
} from '../../telemetry/snapshot.ts';
import { boundedReason, CollectError, type Problem, worse } from './problem.ts';
import type { SnapshotSink } from './sink.ts';

/** Small enough for one request, large enough that 100,000 resources take a few hundred. */
const partBytes = 1024 * 1024;
const partRows = maxDigested;
const maxResources = 500_000;

/** The result for one kind in one region. */
export interface ScopeResult extends SnapshotId {
  readonly status: ScopeStatus;
  readonly reason: string;
  readonly permission?: string;
  readonly resources: number;
  readonly unread: number;
  readonly effect: SnapshotEffect;
}

/** Sends the snapshot of one kind in parts, holding at most one part. */
export class SnapshotWriter {
  readonly #sink: SnapshotSink;
  readonly #id: SnapshotId;
  #resources: Resource[] = [];
  #unread: UnreadResource[] = [];
  #bytes = 0;
  #parts = 0;
  #total = 0;
  #unreadTotal = 0;
  /** The worst problem of a single resource. */
  #worst: Problem | undefined;
  #gap: Problem | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(sink: SnapshotSink, id: SnapshotId) {
    this.#sink = sink;
    this.#id = id;
  }

  async add(resource: Resource): Promise<void> {
    if (this.#gap) return;
    checkFacts(resource);
    const problem = sizeProblem(resource);
    if (problem) return this.unread(resource.key, problem);
    if (++this.#total > maxResources)
      throw new CollectError({
        status: 'failed',
        reason: `${this.#id.kind} has more than ${maxResources} resources in ${this.#id.region}.`,
      });
    this.#resources.push({ ...resource, config: storable(resource.config) });
    this.#bytes += resource.config.length + (resource.tags?.length ?? 0);
    await this.#sendFull();
  }

  async unread(key: string, problem: Problem): Promise<void> {
    if (this.#gap) return;
    // A resource that is not enabled has no configuration: that is no problem of this one.
    const status = problem.status === 'denied' ? 'denied' : 'failed';
    this.#unread.push({
      key: key.slice(0, resourceLimits.fact),
      status,
      reason: boundedReason(problem.reason),
    });
    this.#unreadTotal++;
    this.#worst = worse(this.#worst, problem);
    await this.#sendFull();
  }

  /** Discards what this snapshot would have changed. */
  fail(problem: Problem): void {
    this.#gap = worse(this.#gap, problem);
  }

  async finish(ended: number): Promise<ScopeResult> {
    const problem = this.#gap ?? this.#worst;
    const status: ScopeStatus = problem?.status ?? (this.#total > 0 ? 'collected' : 'empty');
    const reason = boundedReason(this.#reasonOf(problem));
    const effect = await this.#finish({ ended, status, reason });
    return {
      ...this.#id,
      ...{ status, reason, effect },
      ...(problem?.permission !== undefined && { permission: problem.permission }),
      resources: this.#gap ? 0 : this.#total,
      unread: this.#unreadTotal,
    };
  }

  /** If nothing was sent yet, by a digest of all resources; what differs is sent. */
  async #finish(end: Omit<SnapshotEnd, 'parts'>): Promise<SnapshotEffect> {
    const isWhole = this.#parts === 0 && this.#resources.length > 0 && this.#unread.length === 0;
    if (!this.#gap && isWhole) {
      const effect = await this.#sink.finish(this.#id, { ...end, parts: 0, digest: this.#digest() });
      if (!effect.differs) return effect;
      const part = { number: 1, resources: this.#resources, unread: this.#unread };
      if (effect.differs === 'new') return this.#sink.finish(this.#id, { ...end, parts: 1, part });
    }
    if (this.#gap) this.#parts = 0;
    else await this.#send();
    await this.#sending;
    return this.#sink.finish(this.#id, { ...end, parts: this.#parts });
  }

  #digest(): string {
    return snapshotDigestOf(
      this.#resources.map((resource) => ({ key: resource.key, digest: digestOf(resource) })),
    );
  }

  #reasonOf(problem: Problem | undefined): string {
    if (!problem) return '';
    if (this.#gap) return problem.reason;
    return `${this.#unreadTotal} of ${this.#total + this.#unreadTotal} could not be read. ${problem.reason}`;
  }

  async #sendFull(): Promise<void> {
    const rows = this.#resources.length + this.#unread.length;
    if (this.#bytes >= partBytes || rows >= partRows) await this.#send();
  }

  /** One part at a time, so that a slow sink slows down the reading. */
  async #send(): Promise<void> {
    const [resources, unread] = [this.#resources, this.#unread];
    if (resources.length + unread.length === 0) return;
    [this.#resources, this.#unread, this.#bytes] = [[], [], 0];
    const number = ++this.#parts;
    this.#sending = this.#sending.then(() => this.#sink.part(this.#id, { number, resources, unread }));
    await this.#sending;
  }
}

/** A resource without a usable identity can not be told from others: the kind ends. */
function checkFacts({ key, facts }: Resource): void {
  const long = Object.entries({ key, ...facts }).find(([, value]) => value.length > resourceLimits.fact);
  if (!long) return;
  throw new CollectError({
    status: 'failed',
    reason: `${long[0]} of a resource has ${long[1].length} characters; the limit is ${resourceLimits.fact}.`,
  });
}

function sizeProblem({ key, config, tags }: Resource): Problem | undefined {
  const length = config.length + (tags?.length ?? 0);
  if (length <= resourceLimits.config) return undefined;
  return {
    status: 'failed',
    reason: `The configuration of ${key} has ${length} characters; the limit is ${resourceLimits.config}.`,
  };
}

/** The store takes no null characters. */
function storable(json: string): string {
  return json.includes('\\u0000') ? json.replaceAll('\\u0000', '\\ufffd') : json;
}
