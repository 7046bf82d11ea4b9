import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiateEncoding } from './accept-header.ts';

export type Encoding = 'br' | 'gzip';

/** A shared body in one content encoding. */
export interface Representation {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly encoding: Encoding | undefined;
}

const [compressByGzip, compressByBrotli] = [promisify(gzip), promisify(brotliCompress)];

/** Run in the thread pool. Brotli's highest quality takes fourteen times as long as this one and saves 7 %. */
const compressions: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    compressByBrotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => compressByGzip(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/**
 * A body that is identical for all clients. It is loaded on first use and compressed once; every response sends the same
 * bytes. Only the compressed representations are retained: the plain one can be collected when no response uses it.
 */
export class SharedBody {
  readonly cacheControl: string;
  readonly #load: () => Promise<Buffer>;
  readonly #compressed = new Map<Encoding, Promise<Representation>>();
  #plain: WeakRef<Buffer> | undefined;
  #tag = '';
  #loading: Promise<Representation> | undefined;

  constructor(load: () => Promise<Buffer>, cacheControl = 'no-cache') {
    this.#load = load;
    this.cacheControl = cacheControl;
  }

  /** A digest of the content. */
  async tag(): Promise<string> {
    if (!this.#tag) await this.#identity();
    return this.#tag;
  }

  /** The representation that the client prefers. */
  representationFor(acceptEncoding: string | undefined): Promise<Representation> {
    const encoding = negotiateEncoding(acceptEncoding, ['br', 'gzip']);
    return encoding ? this.#encoded(encoding) : this.#identity();
  }

  #encoded(encoding: Encoding): Promise<Representation> {
    const cached = this.#compressed.get(encoding);
    if (cached) return cached;
    const compressed = this.#compress(encoding).catch((error: unknown) => {
      this.#compressed.delete(encoding);
      throw error;
    });
    this.#compressed.set(encoding, compressed);
    return compressed;
  }

  async #compress(encoding: Encoding): Promise<Representation> {
    const { bytes } = await this.#identity();
    return { bytes: await compressions[encoding](bytes), etag: `"${this.#tag}-${encoding}"`, encoding };
  }

  #identity(): Promise<Representation> {
    const bytes = this.#plain?.deref();
    if (bytes) return Promise.resolve({ bytes, etag: `"${this.#tag}"`, encoding: undefined });
    this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #read(): Promise<Representation> {
    const bytes = await this.#load();
    this.#tag ||= createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    this.#plain = new WeakRef(bytes);
    return { bytes, etag: `"${this.#tag}"`, encoding: undefined };
  }
}

/** Whether an If-None-Match header contains the ETag. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
