import { StreamedBuffer } from '../platform/streamed-buffer.ts';

/** A reply without a body. */
export interface Empty {
  readonly kind: 'empty';
  readonly description: string;
}

/** A reply that is not JSON. */
export interface Content {
  readonly kind: 'content';
  readonly type: string;
  readonly description: string;
}

/** Short JSON that is already text. */
export class JsonString {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** JSON that is already bytes: it goes to the socket as it is, neither parsed nor written again. */
export class JsonBytes {
  readonly parts: readonly Uint8Array[];
  /** What nobody needs once it is sent. */
  streamed: StreamedBuffer | undefined;

  constructor(...parts: readonly Uint8Array[]) {
    this.parts = parts;
  }

  /** The same object with further members before its own, none of which is copied. */
  ledBy(members: string): JsonBytes {
    const [first = new Uint8Array(), ...rest] = this.parts;
    const body = new JsonBytes(Buffer.from(`{${members},`), first.subarray(1), ...rest);
    body.streamed = this.streamed;
    return body;
  }

  get length(): number {
    return this.parts.reduce((sum, part) => sum + part.length, 0);
  }

  static of(body: object): JsonBytes {
    return new JsonBytes(Buffer.from(JSON.stringify(body)));
  }

  /** A long text between two short ones, which are not put together. It is sent once, and its memory given back. */
  static around(head: string, text: StreamedBuffer, tail: string): JsonBytes {
    const body = new JsonBytes(Buffer.from(head), ...text.chunks, Buffer.from(tail));
    body.streamed = text;
    return body;
  }

  /** `{"data":[…]}` around records that are text. */
  static list(records: readonly string[]): JsonBytes {
    return JsonBytes.once(Buffer.from(`{"data":[${records.join(',')}]}`));
  }

  /** Bytes that are sent once, and their memory given back. */
  static once(bytes: Buffer<ArrayBuffer>): JsonBytes {
    const body = new JsonBytes(bytes);
    body.streamed = StreamedBuffer.of(bytes);
    return body;
  }
}

/** Texts of records that come one after the other. `failed` aborts when no more will come, also before they are asked for. */
export interface RecordChunks extends AsyncIterator<Uint8Array> {
  readonly failed?: AbortSignal;
}

/** `{"data":[…]}` whose records come in pieces, with commas between: nobody holds all of them at once. */
export class JsonChunks {
  readonly first: Uint8Array | undefined;
  readonly rest: RecordChunks;
  /** What stands before `"data"`: other members, each with a comma. */
  readonly head: string;

  private constructor(first: Uint8Array | undefined, rest: RecordChunks, head = '') {
    this.first = first;
    this.rest = rest;
    this.head = head;
  }

  ledBy(members: string): JsonChunks {
    return new JsonChunks(this.first, this.rest, `${members},`);
  }

  /** Waits for the first piece: what fails until then is refused like anything else. */
  static async list(records: RecordChunks): Promise<JsonChunks> {
    const { value, done } = await records.next();
    return new JsonChunks(done ? undefined : value, records);
  }
}

export function empty(description: string): Empty {
  return { kind: 'empty', description };
}

export function content(type: string, description: string): Content {
  return { kind: 'content', type, description };
}

export function isEmpty(reply: object): reply is Empty {
  return 'kind' in reply && reply.kind === 'empty';
}

export function isContent(reply: object): reply is Content {
  return 'kind' in reply && reply.kind === 'content';
}
