import type { SnapshotSink } from '@vedette/server/collect/inventory/sink';
import { formOf } from '@vedette/server/telemetry/resource-form';
import type {
  SnapshotEffect,
  SnapshotEnd,
  SnapshotId,
  SnapshotPart,
} from '@vedette/server/telemetry/snapshot';
import type { Destination } from '../ingest/destination.ts';
import { IngestRequests } from '../ingest/ingest-requests.ts';

/** Sends snapshots to the ingest interface of a server. */
export class HttpSink implements SnapshotSink {
  readonly #requests: IngestRequests;
  readonly #cloud: string;

  constructor(destination: Destination, cloud: string) {
    this.#requests = new IngestRequests(destination);
    this.#cloud = cloud;
  }

  async part(id: SnapshotId, { number, resources, unread }: SnapshotPart): Promise<void> {
    const lines = [...resources.map(formOf), ...unread].map((one) => JSON.stringify(one));
    await this.#send(id, { part: String(number) }, lines.join('\n'));
  }

  async finish(id: SnapshotId, { ended, status, reason, parts }: SnapshotEnd): Promise<SnapshotEffect> {
    const query = { status, ended: String(ended), parts: String(parts), ...(reason && { reason }) };
    return (await this.#send(id, query, '')) ?? { opened: 0, closed: 0 };
  }

  close(): void {
    this.#requests.close();
  }

  #send(
    { cloudAccount, kind, region, started }: SnapshotId,
    query: Readonly<Record<string, string>>,
    body: string,
  ): Promise<SnapshotEffect | undefined> {
    const segments = [this.#cloud, cloudAccount, kind, region].map(encodeURIComponent);
    const search = new URLSearchParams({ started: String(started), ...query });
    const path = `resources/${segments.join('/')}?${search}`;
    return this.#requests.send({ path, name: kind, body, isRepeatable: true });
  }
}
