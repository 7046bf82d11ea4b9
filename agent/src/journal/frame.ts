import { crc32 } from 'node:zlib';

/** Marks the start of a frame, so that those after a damaged one are found. */
const mark = Buffer.from([0xf7, 0x56, 0x4a, 0x31]);
const headerBytes = mark.length + 8;
/** No observation is larger: it is divided into several frames. */
export const maxFrameBytes = 16 * 1024 * 1024;

/** Where the payload of a frame is in its file. */
export interface FramePlace {
  readonly offset: number;
  readonly bytes: number;
}

export interface ScannedFrames {
  readonly frames: readonly (FramePlace & { readonly payload: Buffer })[];
  /** Bytes that belong to no frame: damage, or the start of a frame that was not written to its end. */
  readonly damagedBytes: number;
  /** Where the last frame ends; what follows is not a frame. */
  readonly end: number;
}

export function frameOf(payload: Buffer): Buffer {
  if (payload.length > maxFrameBytes)
    throw new RangeError(`A frame of ${payload.length} bytes is too large.`);
  const header = Buffer.alloc(headerBytes);
  mark.copy(header);
  header.writeUInt32BE(payload.length, mark.length);
  header.writeUInt32BE(checksumOf(payload), mark.length + 4);
  return Buffer.concat([header, payload]);
}

/** Whether the bytes are the frame that was written. */
export function payloadOf(frame: Buffer): Buffer | undefined {
  return payloadAt(frame, 0);
}

/** The frames of a file. Damaged parts are left out, and counted. */
export function scanFrames(file: Buffer): ScannedFrames {
  const frames: (FramePlace & { payload: Buffer })[] = [];
  let [at, end, damagedBytes] = [0, 0, 0];
  while (at < file.length) {
    const payload = payloadAt(file, at);
    if (payload) {
      const bytes = headerBytes + payload.length;
      frames.push({ offset: at, bytes, payload });
      at += bytes;
      end = at;
      continue;
    }
    const next = file.indexOf(mark, at + 1);
    const until = next < 0 ? file.length : next;
    damagedBytes += until - at;
    at = until;
  }
  return { frames, damagedBytes, end };
}

function payloadAt(file: Buffer, at: number): Buffer | undefined {
  if (file.length < at + headerBytes || !file.subarray(at, at + mark.length).equals(mark)) return undefined;
  const length = file.readUInt32BE(at + mark.length);
  const start = at + headerBytes;
  if (length > maxFrameBytes || file.length < start + length) return undefined;
  const payload = file.subarray(start, start + length);
  return checksumOf(payload) === file.readUInt32BE(at + mark.length + 4) ? payload : undefined;
}

/** Of the length, too: a shorter payload with the same bytes is another frame. */
function checksumOf(payload: Buffer): number {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(payload.length);
  return crc32(payload, crc32(length));
}
