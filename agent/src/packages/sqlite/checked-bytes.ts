import { DamagedDatabase } from './damaged-database.ts';

const eighthBit = 0x80;

/** Bytes whose offsets come from the bytes themselves: each access is checked. */
export class CheckedBytes {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get length(): number {
    return this.#bytes.length;
  }

  uint8(at: number): number {
    return this.slice(at, 1).readUInt8();
  }

  uint16(at: number): number {
    return this.slice(at, 2).readUInt16BE();
  }

  uint32(at: number): number {
    return this.slice(at, 4).readUInt32BE();
  }

  /** Seven bits in each byte, the last one of nine bytes has eight. Not exact above 2^53: no valid size or page is. */
  varint(at: number): { readonly value: number; readonly next: number } {
    let value = 0;
    for (let next = at; next < at + 8; next++) {
      const byte = this.uint8(next);
      value = value * eighthBit + (byte % eighthBit);
      if (byte < eighthBit) return { value, next: next + 1 };
    }
    return { value: value * 256 + this.uint8(at + 8), next: at + 9 };
  }

  slice(at: number, length: number): Buffer {
    if (!(at >= 0 && length >= 0 && at + length <= this.#bytes.length))
      throw new DamagedDatabase('An offset is outside of its page or record.');
    return this.#bytes.subarray(at, at + length);
  }
}
