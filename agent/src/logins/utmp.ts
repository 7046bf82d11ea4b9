import { isIPv4, isIPv6 } from 'node:net';
import { ipv6Of } from '../machine/address.ts';

/** A record of utmp, wtmp or btmp. */
export interface UtmpRecord {
  /** One of `utmpTypes`. */
  readonly type: number;
  readonly pid: number;
  /** The terminal: `pts/0`. */
  readonly line: string;
  readonly user: string;
  /** The name or address of the remote host. */
  readonly host: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The remote address, if there is one. */
  readonly address?: string;
}

export const utmpTypes = { shutdown: 1, boot: 2, login: 7, logoff: 8 } as const;

/** Where the fields are that differ: some 64-bit ports have longer times. */
export interface UtmpLayout {
  readonly size: number;
  readonly seconds: number;
  readonly microseconds: number;
  readonly address: number;
}

const layouts: readonly UtmpLayout[] = [
  { size: 384, seconds: 340, microseconds: 344, address: 348 },
  { size: 400, seconds: 344, microseconds: 352, address: 360 },
];
const [shortest, longest] = [384, 400];
const maxType = 9;
/** Enough to tell the layouts apart: their records begin at the same place only after this many bytes. */
export const layoutBytes = (shortest * longest) / 16;

/** The layout whose records at the start of a file are plausible. Undefined if it is not such a file. */
export function layoutOf(start: Buffer): UtmpLayout | undefined {
  const plausible = layouts.filter((layout) => {
    for (let at = 0; at + layout.size <= start.length && at < layoutBytes; at += layout.size)
      if (!isPlausible(start, at, layout)) return false;
    return start.length >= layout.size;
  });
  return plausible.find(({ size }) => start.length % size === 0) ?? plausible[0];
}

/** The whole records. A record that is not plausible is left out. */
export function parseUtmp(bytes: Buffer, layout: UtmpLayout): UtmpRecord[] {
  const records: UtmpRecord[] = [];
  for (let at = 0; at + layout.size <= bytes.length; at += layout.size)
    if (isPlausible(bytes, at, layout)) records.push(recordOf(bytes, at, layout));
  return records;
}

function recordOf(bytes: Buffer, at: number, { seconds, microseconds, address }: UtmpLayout): UtmpRecord {
  const host = textOf(bytes, at + 76, 256);
  const remote = addressOf(bytes.subarray(at + address, at + address + 16), host);
  return {
    type: bytes.readInt16LE(at),
    pid: bytes.readInt32LE(at + 4),
    line: textOf(bytes, at + 8, 32),
    user: textOf(bytes, at + 44, 32),
    host,
    // Times of 32 bits are unsigned, so that they last until 2106.
    at: bytes.readUInt32LE(at + seconds) * 1_000 + Math.floor(bytes.readUInt32LE(at + microseconds) / 1_000),
    ...(remote !== undefined && { address: remote }),
  };
}

/** An IPv4 address is in the first of four words. Some programs only write the name of the host. */
function addressOf(bytes: Buffer, host: string): string | undefined {
  if (bytes.subarray(4).some((byte) => byte !== 0)) {
    const text = ipv6Of(bytes);
    return bytes.readUInt32BE(8) === 0xffff && bytes.readBigUInt64BE() === 0n
      ? bytes.subarray(12).join('.')
      : text;
  }
  if (bytes.readUInt32BE() !== 0) return bytes.subarray(0, 4).join('.');
  const [bare = ''] = host.split('%');
  return isIPv4(bare) || isIPv6(bare) ? bare : undefined;
}

function isPlausible(bytes: Buffer, at: number, layout: UtmpLayout): boolean {
  const type = bytes.readInt16LE(at);
  if (type < 0 || type > maxType || bytes.readInt16LE(at + 2) !== 0) return false;
  if (bytes.readUInt32LE(at + layout.microseconds) >= 1_000_000) return false;
  // The upper half of a long time, and the padding at its end.
  if (layout.size === longest)
    return (
      bytes.readUInt32LE(at + layout.seconds + 4) === 0 &&
      bytes.readUInt32LE(at + layout.microseconds + 4) === 0
    );
  return true;
}

/** A string of the fixed size, without what follows its end. Fields that are full have no end. */
function textOf(bytes: Buffer, at: number, size: number): string {
  const field = bytes.subarray(at, at + size);
  const end = field.indexOf(0);
  return field.subarray(0, end === -1 ? size : end).toString('utf8');
}
