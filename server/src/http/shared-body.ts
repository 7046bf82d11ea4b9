import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';

const compress = promisify(gzip);

/** One of the forms in which a shared body is sent. */
export interface Representation {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly encoding: 'gzip' | undefined;
}

/**
 * A body that is the same for everyone. It is read with the first request that needs it, compressed once and off the event
 * loop; every answer sends the same bytes. Only the compressed form is kept: the other one lasts while somebody reads it.
 */
export class SharedBody {
  readonly cacheControl: string;
  readonly #load: () => Promise<Buffer>;
  #compressed: Promise<Representation> | undefined;
  #plain: WeakRef<Buffer> | undefined;
  #etag = '';
  #loading: Promise<Representation> | undefined;

  constructor(load: () => Promise<Buffer>, cacheControl = 'no-cache') {
    this.#load = load;
    this.cacheControl = cacheControl;
  }

  /** In the form that the client accepts. */
  for(acceptEncoding: string | undefined): Promise<Representation> {
    return acceptsGzip(acceptEncoding) ? this.#gzip() : this.#identity();
  }

  #gzip(): Promise<Representation> {
    this.#compressed ??= this.#compress().catch((error: unknown) => {
      this.#compressed = undefined;
      throw error;
    });
    return this.#compressed;
  }

  async #compress(): Promise<Representation> {
    const { bytes, etag } = await this.#identity();
    const compressed = await compress(bytes, { level: constants.Z_BEST_COMPRESSION });
    return { bytes: compressed, etag: `${etag.slice(0, -1)}-gzip"`, encoding: 'gzip' };
  }

  #identity(): Promise<Representation> {
    const bytes = this.#plain?.deref();
    if (bytes) return Promise.resolve({ bytes, etag: this.#etag, encoding: undefined });
    this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #read(): Promise<Representation> {
    const bytes = await this.#load();
    this.#etag ||= `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    this.#plain = new WeakRef(bytes);
    return { bytes, etag: this.#etag, encoding: undefined };
  }
}

/** `gzip` or `*` with a weight that is not 0. */
export function acceptsGzip(header: string | undefined): boolean {
  if (!header) return false;
  const weights = new Map(
    header
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
        const weight = parameters.find((text) => text.startsWith('q='));
        return [coding, weight === undefined ? 1 : Number(weight.slice(2))];
      }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

/** Whether the client has this representation, by the tags in If-None-Match. */
export function hasTag(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
