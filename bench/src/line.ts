import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const readSize = 1024 * 1024;

/** One keep-alive connection, one request at a time, with as little of a client around it as possible. */
export class Line {
  readonly #socket: Socket;
  #body: Buffer | undefined;
  #filled = 0;
  #answered: (body: Buffer) => void = () => {};
  #failed: (error: Error) => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', (error) => this.#failed(error));
    socket.on('end', () => this.#failed(new Error('The server closed the connection.')));
  }

  static async open(port: number): Promise<Line> {
    // Answers of megabytes in pieces of 64 kB would mostly measure this client.
    const buffer = Buffer.allocUnsafe(readSize);
    let receive = (_: Buffer) => {};
    const callback = (size: number) => {
      receive(buffer.subarray(0, size));
      return true;
    };
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } });
    await once(socket, 'connect');
    const line = new Line(socket);
    receive = (chunk) => line.#receive(chunk);
    return line;
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
    const part = this.#body ? chunk : this.#readHead(chunk);
    if (!this.#body) return;
    part.copy(this.#body, this.#filled);
    this.#filled += part.length;
    if (this.#filled < this.#body.length) return;
    const body = this.#body;
    this.#body = undefined;
    this.#answered(body);
  }

  #readHead(chunk: Buffer): Buffer {
    const end = chunk.indexOf('\r\n\r\n');
    const head = chunk.subarray(0, end).toString('latin1');
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (end < 0 || length === undefined || !head.startsWith('HTTP/1.1 200 ')) {
      this.#failed(new Error(`Not an answer that can be measured: ${head.slice(0, 200)}`));
      return chunk;
    }
    this.#body = Buffer.allocUnsafe(Number(length));
    this.#filled = 0;
    return chunk.subarray(end + 4);
  }
}
