import type { Host } from '../../host/host.ts';
import { possibleClouds } from './cloud-hints.ts';
import type { CloudInstance } from './cloud-instance.ts';
import { metadataRequest } from './metadata-request.ts';

const hour = 3_600_000;

/** The instance that the host is in a cloud. Asked for once an hour, because its addresses and tags may change. */
export class CloudMetadata {
  readonly #base: string;
  #instance: CloudInstance | undefined;
  #askedAt: number | undefined;

  /** All clouds have the service at the same address. */
  constructor(base = 'http://169.254.169.254') {
    this.#base = base;
  }

  /** Undefined outside of clouds. What was once known remains if the service does not answer later. */
  async instance({
    files,
    now,
    signal,
  }: Pick<Host, 'files' | 'now' | 'signal'>): Promise<CloudInstance | undefined> {
    const at = now();
    if (this.#askedAt !== undefined && at >= this.#askedAt && at < this.#askedAt + hour)
      return this.#instance;
    this.#askedAt = at;
    const request = metadataRequest(this.#base, signal);
    const clouds = await possibleClouds(files);
    const found = await Promise.all(clouds.map((readInstance) => readInstance(request)));
    this.#instance = found.find(Boolean) ?? this.#instance;
    return this.#instance;
  }
}
