import { isWord, type ParsedPackages } from './installed-package.ts';

const [lengthBytes, entryBytes] = [8, 16];
/** Limits of rpm itself. */
const limits = { entries: 0xffff, storeBytes: 0x0fffffff };
const tags = { name: 1000, version: 1001, release: 1002, epoch: 1003, arch: 1022 } as const;
const wanted = new Set<number>(Object.values(tags));
const types = { int32: 4, string: 6 } as const;

export type RpmHeader =
  | { readonly is: 'package'; readonly package: ParsedPackages['packages'][number] }
  /** A key that signs packages, which rpm stores like a package. */
  | { readonly is: 'key' }
  /** The first bytes are not enough. */
  | { readonly is: 'incomplete' }
  | { readonly is: 'damaged' };

interface Entry {
  readonly type: number;
  /** Where the value starts in the header. */
  readonly at: number;
}

const damaged = { is: 'damaged' } as const;
const incomplete = { is: 'incomplete' } as const;

/**
 * Parses a header of an installed package, without its magic number: the number of entries, the size of the data store,
 * an index, and the data store. What is looked for is at its start, so that its first bytes mostly suffice.
 */
export function parseRpmHeader(prefix: Buffer, totalBytes: number): RpmHeader {
  const missing = prefix.length < totalBytes ? incomplete : damaged;
  if (prefix.length < lengthBytes) return missing;
  const [count, storeBytes] = [prefix.readUInt32BE(0), prefix.readUInt32BE(4)];
  if (count > limits.entries || storeBytes > limits.storeBytes) return damaged;
  const store = lengthBytes + count * entryBytes;
  if (store + storeBytes !== totalBytes) return damaged;
  if (prefix.length < store) return missing;

  const entries = new Map<number, Entry>();
  for (let at = lengthBytes; at < store; at += entryBytes) {
    const tag = prefix.readUInt32BE(at);
    if (!wanted.has(tag) || entries.has(tag)) continue;
    const offset = prefix.readUInt32BE(at + 8);
    if (offset >= storeBytes || prefix.readUInt32BE(at + 12) !== 1) return damaged;
    entries.set(tag, { type: prefix.readUInt32BE(at + 4), at: store + offset });
  }
  const read = (tag: number) => valueAt(prefix, entries.get(tag));
  const values = [read(tags.name), read(tags.version), read(tags.release), read(tags.epoch), read(tags.arch)];
  if (values.includes(incomplete)) return missing;
  const [name, version, release, epoch, arch] = values as (string | undefined)[];
  if (name === 'gpg-pubkey') return { is: 'key' };
  return packageOf({ name, version, release, epoch, arch });
}

function valueAt(prefix: Buffer, entry: Entry | undefined): string | undefined | typeof incomplete {
  if (!entry) return undefined;
  const { type, at } = entry;
  if (type === types.int32) return at + 4 <= prefix.length ? String(prefix.readUInt32BE(at)) : incomplete;
  if (type !== types.string) return '';
  const end = prefix.indexOf(0, at);
  return end < 0 || at >= prefix.length ? incomplete : prefix.toString('utf8', at, end);
}

export type RpmValues = Readonly<
  Record<'name' | 'version' | 'release' | 'epoch' | 'arch', string | undefined>
>;

/** The version is written as `rpm -q` does: with an epoch only if the package has one. */
export function packageOf({ name, version, release, epoch, arch = 'noarch' }: RpmValues): RpmHeader {
  if (!isWord(name) || !isWord(version) || !isWord(release) || !isWord(arch)) return damaged;
  if (epoch !== undefined && !/^\d{1,10}$/.test(epoch)) return damaged;
  const prefix = epoch === undefined ? '' : `${epoch}:`;
  return { is: 'package', package: { name, version: `${prefix}${version}-${release}`, arch } };
}
