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

/** Short JSON that is already serialized. */
export class JsonString {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** JSON that is already encoded: written to the socket without parsing or copying. */
export class JsonBytes {
  readonly chunks: readonly Uint8Array[];
  /** Memory that is released once the response is sent. */
  streamed: StreamedBuffer | undefined;

  constructor(...chunks: readonly Uint8Array[]) {
    this.chunks = chunks;
  }

  /** The same object with further members first; its own bytes are not copied. */
  withMembersFirst(members: string): JsonBytes {
    const [first = new Uint8Array(), ...rest] = this.chunks;
    const body = new JsonBytes(Buffer.from(`{${members},`), first.subarray(1), ...rest);
    body.streamed = this.streamed;
    return body;
  }

  get length(): number {
    return this.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  }

  static of(body: object): JsonBytes {
    return new JsonBytes(Buffer.from(JSON.stringify(body)));
  }

  /** A buffer between a head and a tail, without concatenation. Its memory is released after sending. */
  static wrap(head: string, buffer: StreamedBuffer, tail: string): JsonBytes {
    const body = new JsonBytes(Buffer.from(head), ...buffer.chunks, Buffer.from(tail));
    body.streamed = buffer;
    return body;
  }

  /** `{"data":[…]}` from serialized records. */
  static array(records: readonly string[]): JsonBytes {
    return JsonBytes.disposable(Buffer.from(`{"data":[${records.join(',')}]}`));
  }

  /** Bytes whose memory is released after sending. */
  static disposable(bytes: Buffer<ArrayBuffer>): JsonBytes {
    const body = new JsonBytes(bytes);
    body.streamed = StreamedBuffer.of(bytes);
    return body;
  }
}

/** Serialized records as an asynchronous sequence. `failed` aborts as soon as no more will follow. */
export interface RecordChunks extends AsyncIterator<Uint8Array> {
  readonly failed?: AbortSignal;
}

/** `{"data":[…]}` whose records are streamed in comma-separated chunks, never all in memory. */
export class JsonChunks {
  readonly first: Uint8Array | undefined;
  readonly rest: RecordChunks;
  /** Members before `"data"`, each followed by a comma. */
  readonly head: string;

  private constructor(first: Uint8Array | undefined, rest: RecordChunks, head = '') {
    this.first = first;
    this.rest = rest;
    this.head = head;
  }

  withMembersFirst(members: string): JsonChunks {
    return new JsonChunks(this.first, this.rest, `${members},`);
  }

  /** Waits for the first chunk: an error before it becomes an ordinary error response. */
  static async array(records: RecordChunks): Promise<JsonChunks> {
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
