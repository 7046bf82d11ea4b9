import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One keep-alive connection, one request at a time, with as little of a client around it as possible. */
export class Line {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #missing: number | undefined;
  #answered: (body: Buffer) => void = () => {};
  #failed: (error: Error) => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => this.#failed(error));
    socket.on('end', () => this.#failed(new Error('The server closed the connection.')));
  }

  static async open(port: number): Promise<Line> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new Line(socket);
  }

  /** From the first byte of the request to the last of the answer, which must be a 200. */
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

  #receive(chunk: Buffer): void {
    this.#chunks.push(this.#missing === undefined ? this.#readHead(chunk) : chunk);
    this.#missing = (this.#missing ?? 0) - (this.#chunks.at(-1) as Buffer).length;
    if (this.#missing > 0) return;
    const body = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#missing = undefined;
    this.#answered(body);
  }

  #readHead(chunk: Buffer): Buffer {
    const end = chunk.indexOf('\r\n\r\n');
    const head = chunk.subarray(0, end).toString('latin1');
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (end < 0 || length === undefined || !head.startsWith('HTTP/1.1 200 ')) {
      this.#failed(new Error(`Not an answer that can be measured: ${head.slice(0, 200)}`));
    }
    this.#missing = Number(length);
    return chunk.subarray(end + 4);
  }
}
