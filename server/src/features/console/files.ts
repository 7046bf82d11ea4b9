import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { negotiateEncoding } from '../../http/accept-header.ts';
import type { Page, PageRequest } from '../../http/pages.ts';
import { type Encoding, matchesEtag } from '../../http/shared-body.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The suffixes of files that the build compressed. */
const suffixes: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

interface BuiltFile {
  readonly type: string;
  readonly tag: string;
  readonly bytes: Buffer;
  readonly compressed: ReadonlyMap<Encoding, Buffer>;
}

/**
 * The files of the build, read once: a request never names a file of the disk. Their names contain a hash of their
 * content, so browsers keep them for ever.
 */
export class BuiltFiles {
  readonly #files: ReadonlyMap<string, BuiltFile>;

  constructor(folder: string) {
    const names = readdirSync(folder);
    this.#files = new Map(
      names.filter((name) => types[extname(name)]).map((name) => [name, readBuilt(folder, name, names)]),
    );
  }

  answer(name: string, { acceptEncoding, ifNoneMatch }: PageRequest): Page | undefined {
    const file = this.#files.get(name);
    if (!file) return undefined;
    const encoding = negotiateEncoding(acceptEncoding, [...file.compressed.keys()]);
    const etag = `"${encoding ? `${file.tag}-${encoding}` : file.tag}"`;
    const headers = {
      'content-type': file.type,
      'cache-control': 'public, max-age=31536000, immutable',
      etag,
      ...(file.compressed.size > 0 && { vary: 'accept-encoding' }),
    };
    if (matchesEtag(ifNoneMatch, etag)) return { status: 304, headers, body: undefined };
    const body = encoding ? file.compressed.get(encoding) : file.bytes;
    return { status: 200, headers: encoding ? { ...headers, 'content-encoding': encoding } : headers, body };
  }
}

function readBuilt(folder: string, name: string, names: readonly string[]): BuiltFile {
  const bytes = readFileSync(join(folder, name));
  const encodings = (Object.keys(suffixes) as Encoding[]).filter((one) =>
    names.includes(name + suffixes[one]),
  );
  return {
    type: types[extname(name)] as string,
    tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    bytes,
    compressed: new Map(encodings.map((one) => [one, readFileSync(join(folder, name + suffixes[one]))])),
  };
}
