/** Bytes that are not the message that they should be. */
export class MalformedMessage extends Error {}

const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;
/** Against messages of empty fields, of which each takes more memory than its two bytes. */
const maxFields = 100_000;

type Value = bigint | Buffer;

/** A message in the encoding of Protocol Buffers, read by field numbers. Absent fields have the values of proto3. */
export class Message {
  readonly #fields = new Map<number, Value[]>();

  /** Throws MalformedMessage. */
  constructor(bytes: Buffer) {
    const reader = new Reader(bytes);
    for (let count = 0; !reader.isAtEnd; count++) {
      if (count === maxFields) throw new MalformedMessage(`A message has more than ${maxFields} fields.`);
      const key = reader.varint();
      const number = Number(key >> 3n);
      if (number === 0 || number >= 2 ** 29) throw new MalformedMessage('A field has an invalid number.');
      const value = reader.value(Number(key & 7n));
      const values = this.#fields.get(number);
      if (values) values.push(value);
      else this.#fields.set(number, [value]);
    }
  }

  /** The last value counts if one is repeated. */
  string(number: number): string {
    return this.strings(number).at(-1) ?? '';
  }

  strings(number: number): string[] {
    return this.#bytes(number).map((bytes) => bytes.toString('utf8'));
  }

  /** 0 for negative numbers and those that are not exact in JSON. */
  count(number: number): number {
    const value = this.#fields.get(number)?.at(-1) ?? 0n;
    if (typeof value !== 'bigint') throw new MalformedMessage(`Field ${number} is not a number.`);
    return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : 0;
  }

  /** For times in nanoseconds, which are larger. */
  milliseconds(number: number): number {
    const value = this.#fields.get(number)?.at(-1) ?? 0n;
    if (typeof value !== 'bigint') throw new MalformedMessage(`Field ${number} is not a number.`);
    return value < 1n << 63n ? Number(value / 1_000_000n) : 0;
  }

  message(number: number): Message {
    return new Message(this.#bytes(number).at(-1) ?? Buffer.alloc(0));
  }

  messages(number: number): Message[] {
    return this.#bytes(number).map((bytes) => new Message(bytes));
  }

  /** A map of strings. */
  entries(number: number): [string, string][] {
    return this.messages(number).map((entry) => [entry.string(1), entry.string(2)]);
  }

  #bytes(number: number): Buffer[] {
    return (this.#fields.get(number) ?? []).map((value) => {
      if (typeof value === 'bigint') throw new MalformedMessage(`Field ${number} is a number.`);
      return value;
    });
  }
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new MalformedMessage('A number is truncated.');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new MalformedMessage('A number has more than 64 bits.');
  }

  value(type: number): Value {
    switch (type) {
      case wire.varint:
        return this.varint();
      case wire.fixed64:
        return this.#take(8).readBigUInt64LE();
      case wire.fixed32:
        return BigInt(this.#take(4).readUInt32LE());
      case wire.bytes:
        return this.#take(this.varint());
      default:
        throw new MalformedMessage(`Fields of type ${type} are not supported.`);
    }
  }

  #take(length: number | bigint): Buffer {
    if (length > this.#bytes.length - this.#at) throw new MalformedMessage('A field is truncated.');
    const end = this.#at + Number(length);
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

export function varintBytes(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

/** A field of a message to be sent; a message is the concatenation of its fields. */
export function field(number: number, value: string | Buffer | bigint): Buffer {
  const key = (type: number) => varintBytes((BigInt(number) << 3n) | BigInt(type));
  if (typeof value === 'bigint') return Buffer.concat([key(wire.varint), varintBytes(value)]);
  const bytes = Buffer.from(value);
  return Buffer.concat([key(wire.bytes), varintBytes(BigInt(bytes.length)), bytes]);
}
