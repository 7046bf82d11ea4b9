import type { UtmpRecord } from './utmp.ts';

/** The bytes of a record, in the layout with the size. */
export function utmpBytes(record: Partial<UtmpRecord>, size: 384 | 400 = 384): Buffer {
  const { type = 7, pid = 1, line = '', user = '', host = '', at = 0, address } = record;
  const bytes = Buffer.alloc(size);
  bytes.writeInt16LE(type, 0);
  bytes.writeInt32LE(pid, 4);
  bytes.write(line, 8, 32);
  bytes.write(user, 44, 32);
  bytes.write(host, 76, 256);
  bytes.writeUInt32LE(Math.floor(at / 1_000), size === 384 ? 340 : 344);
  bytes.writeUInt32LE((at % 1_000) * 1_000, size === 384 ? 344 : 352);
  for (const [index, byte] of (address?.split('.') ?? []).entries())
    bytes.writeUInt8(Number(byte), (size === 384 ? 348 : 360) + index);
  return bytes;
}
