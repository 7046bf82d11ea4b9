import type { SnapshotSink } from '@vedette/server/collect/inventory/sink';
import { FairQueue } from '@vedette/server/platform/fair-queue';
import type { Resource } from '@vedette/server/telemetry/resource';
import { digestOf } from '@vedette/server/telemetry/resource-digest';
import { formOf } from '@vedette/server/telemetry/resource-form';
import type {
  SnapshotEffect,
  SnapshotEnd,
  SnapshotId,
  SnapshotPart,
} from '@vedette/server/telemetry/snapshot';
import type { Destination } from '../ingest/destination.ts';
import { IngestRequests } from '../ingest/ingest-requests.ts';

interface Answer extends SnapshotEffect {
  readonly received: number;
  /** Keys of the resources that were sent by digest and are not stored so. */
  readonly missing?: readonly string[];
}

/** Longer bodies are sent two at a time for each cloud account: more would only take memory of the server. */
const largeBody = 64 * 1024;
const largeBodies = { noun: 'upload', concurrency: 3 };

/** What was sent of a snapshot. */
interface Sent {
  parts: number;
  /** Whether the server has nothing of the scope that could be unchanged. */
  isNew: boolean;
}

/**
 * Sends snapshots to the ingest interface of a server: first by digest, then as a whole what the server does not have. A
 * collection of an account that did not change sends a few bytes for each kind, or for each resource of a large one.
 */
export class HttpSink implements SnapshotSink {
  readonly #requests: IngestRequests;
  readonly #cloud: string;
  readonly #uploads = new FairQueue(largeBodies);
  readonly #sent = new Map<string, Sent>();

  constructor(destination: Destination, cloud: string) {
    this.#requests = new IngestRequests(destination);
    this.#cloud = cloud;
  }

  async part(id: SnapshotId, { resources, unread }: SnapshotPart): Promise<void> {
    const sent = this.#sentOf(id);
    const changed = sent.isNew ? resources : await this.#changed(id, sent, resources);
    const lines = [...changed.map(formOf), ...unread];
    if (lines.length > 0) await this.#sendLines(id, ++sent.parts, lines);
  }

  async finish(
    id: SnapshotId,
    { ended, status, reason, parts, digest, part }: SnapshotEnd,
  ): Promise<SnapshotEffect> {
    const sent = parts === 0 || part ? parts : this.#sentOf(id).parts;
    this.#sent.delete(nameOf(id));
    const query = {
      ...{ status, ended: String(ended), parts: digest ? '1' : String(sent) },
      ...{ ...(reason && { reason }), ...(digest && { digest }), ...(part && { part: '1' }) },
    };
    const body = part ? bodyOf([...part.resources.map(formOf), ...part.unread]) : '';
    const answer = await this.#send(id, query, body);
    // Without an answer it is not known whether they differ: a snapshot that has ended ignores what follows.
    const differs = answer ? answer.differs : digest && 'changed';
    return { opened: answer?.opened ?? 0, closed: answer?.closed ?? 0, ...(differs && { differs }) };
  }

  close(): void {
    this.#requests.close();
  }

  /** The resources that the server does not have as they are. */
  async #changed(id: SnapshotId, sent: Sent, resources: readonly Resource[]): Promise<readonly Resource[]> {
    if (resources.length === 0) return resources;
    const known = resources.map((resource) => ({ key: resource.key, digest: digestOf(resource) }));
    const answer = await this.#sendLines(id, sent.parts + 1, known);
    if (!answer || answer.received === 0) sent.isNew = true;
    else sent.parts++;
    const missing = new Set(answer?.missing);
    return sent.isNew ? resources : resources.filter(({ key }) => missing.has(key));
  }

  #sentOf(id: SnapshotId): Sent {
    const sent = this.#sent.get(nameOf(id)) ?? { parts: 0, isNew: false };
    this.#sent.set(nameOf(id), sent);
    return sent;
  }

  #sendLines(id: SnapshotId, part: number, lines: readonly object[]): Promise<Answer | undefined> {
    return this.#send(id, { part: String(part) }, bodyOf(lines));
  }

  #send(
    { cloudAccount, kind, region, started }: SnapshotId,
    query: Readonly<Record<string, string>>,
    body: string,
  ): Promise<Answer | undefined> {
    const segments = [this.#cloud, cloudAccount, kind, region].map(encodeURIComponent);
    const search = new URLSearchParams({ started: String(started), ...query });
    const path = `resources/${segments.join('/')}?${search}`;
    const send = () => this.#requests.send<Answer>({ path, name: kind, body, isRepeatable: true });
    return body.length > largeBody ? this.#uploads.run(cloudAccount, send) : send();
  }
}

function bodyOf(lines: readonly object[]): string {
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

function nameOf({ cloudAccount, kind, region, started }: SnapshotId): string {
  return JSON.stringify([cloudAccount, kind, region, started]);
}
