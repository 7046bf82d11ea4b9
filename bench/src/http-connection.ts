import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const initialSize = 4 * 1024 * 1024;

interface Body {
  readonly start: number;
  readonly end: number;
}

/**
 * One keep-alive connection, one request at a time, with minimal client overhead: responses are read
 * into a reused buffer without copying.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #buffer = Buffer.alloc(initialSize);
  #filled = 0;
  /** Offsets of the body in the buffer, once the header is parsed. */
  #body: Body | undefined;
  #resolve: (body: Buffer) => void = () => {};
  #reject: (error: Error) => void = () => {};

  private constructor(port: number) {
    this.#socket = connect({
      ...{ port, host: '127.0.0.1', noDelay: true },
      onread: { buffer: () => this.#buffer.subarray(this.#filled), callback: (size) => this.#receive(size) },
    });
    this.#socket.on('error', (error) => this.#reject(error));
    this.#socket.on('end', () => this.#reject(new Error('The server closed the connection.')));
  }

  static async open(port: number): Promise<HttpConnection> {
    const connection = new HttpConnection(port);
    await once(connection.#socket, 'connect');
    return connection;
  }

  /** Resolves with the body of the response, which must be a 200. The buffer is valid until the next request. */
  request(message: string): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(message);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(size: number): boolean {
    this.#filled += size;
    const body = this.#body ?? this.#parseHeader();
    const isComplete = body !== undefined && this.#filled >= body.end;
    this.#body = isComplete ? undefined : body;
    if (!isComplete) return true;
    this.#filled = 0;
    this.#resolve(this.#buffer.subarray(body.start, body.end));
    return true;
  }

  #parseHeader(): Body | undefined {
    const read = this.#buffer.subarray(0, this.#filled);
    const start = read.indexOf('\r\n\r\n') + 4;
    const head = read.subarray(0, start).toString('latin1');
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (start < 4 || length === undefined || !head.startsWith('HTTP/1.1 200 ')) {
      this.#reject(new Error(`Unexpected response: ${head.slice(0, 200)}`));
      return undefined;
    }
    const end = start + Number(length);
    // One additional byte: an empty buffer can not be read into.
    if (end >= this.#buffer.length) this.#buffer = Buffer.concat([this.#buffer], end * 2);
    return { start, end };
  }
}
