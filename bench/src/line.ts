import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const firstSize = 4 * 1024 * 1024;

interface Body {
  readonly start: number;
  readonly end: number;
}

/**
 * One keep-alive connection, one request at a time, with as little of a client around it as possible: what arrives is read
 * into the same memory again and again, and copied nowhere.
 */
export class Line {
  readonly #socket: Socket;
  #memory = Buffer.alloc(firstSize);
  #filled = 0;
  /** Where the body begins and ends in the memory, once the head is read. */
  #body: Body | undefined;
  #answered: (body: Buffer) => void = () => {};
  #failed: (error: Error) => void = () => {};

  private constructor(port: number) {
    this.#socket = connect({
      ...{ port, host: '127.0.0.1', noDelay: true },
      onread: { buffer: () => this.#memory.subarray(this.#filled), callback: (size) => this.#receive(size) },
    });
    this.#socket.on('error', (error) => this.#failed(error));
    this.#socket.on('end', () => this.#failed(new Error('The server closed the connection.')));
  }

  static async open(port: number): Promise<Line> {
    const line = new Line(port);
    await once(line.#socket, 'connect');
    return line;
  }

  /** From the first byte of the request to the last of the answer, which must be a 200. It lasts until the next one. */
  ask(request: string): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Where the next bytes go is asked for when this returns. */
  #receive(size: number): boolean {
    this.#filled += size;
    const body = this.#body ?? this.#readHead();
    const isWhole = body !== undefined && this.#filled >= body.end;
    this.#body = isWhole ? undefined : body;
    if (!isWhole) return true;
    this.#filled = 0;
    this.#answered(this.#memory.subarray(body.start, body.end));
    return true;
  }

  #readHead(): Body | undefined {
    const read = this.#memory.subarray(0, this.#filled);
    const start = read.indexOf('\r\n\r\n') + 4;
    const head = read.subarray(0, start).toString('latin1');
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (start < 4 || length === undefined || !head.startsWith('HTTP/1.1 200 ')) {
      this.#failed(new Error(`Not an answer that can be measured: ${head.slice(0, 200)}`));
      return undefined;
    }
    const end = start + Number(length);
    // Room for one byte more: an empty buffer can not be read into.
    if (end >= this.#memory.length) this.#memory = Buffer.concat([this.#memory], end * 2);
    return { start, end };
  }
}
