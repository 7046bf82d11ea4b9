import { connect, type Socket } from 'node:net';

/** A request and its expected response body, byte for byte. */
export interface Exchange {
  readonly request: string;
  readonly body: Buffer;
}

export interface Throughput {
  readonly responses: number;
  readonly seconds: number;
  /** Share of one core that the generator itself used. */
  readonly generatorShare: number;
}

const connections = 32;
/**
 * Requests in flight on each connection, the same for both sides. Two, so that the next request is
 * waiting when the server has answered one and it never idles for the generator; no more, because clients do not pipeline.
 */
const depth = 2;

const statusLine = Buffer.from('HTTP/1.1 200 ');
const headEnd = Buffer.from('\r\n\r\n');
const readBuffer = 65_536;

/** Keep-alive connections to one server that repeat one request and check every response. */
export class Load {
  readonly #sockets: Socket[] = [];
  readonly #body: Buffer;
  readonly #lengthLine: Buffer;
  /** The request repeated 0 to `depth` times. */
  readonly #batches: Buffer[];
  #running = false;
  #responses = 0;
  #inFlight = 0;
  #drained: () => void = () => {};
  #reject: (error: Error) => void = () => {};
  #failure: Error | undefined;

  private constructor({ request, body }: Exchange) {
    this.#body = body;
    this.#lengthLine = Buffer.from(`\r\ncontent-length: ${body.length}\r\n`);
    this.#batches = Array.from({ length: depth + 1 }, (_, count) => Buffer.from(request.repeat(count)));
  }

  static async open(port: number, exchange: Exchange): Promise<Load> {
    const load = new Load(exchange);
    const opened = Array.from({ length: connections }, () => load.#connect(port));
    await Promise.all(opened);
    return load;
  }

  /** Keeps the server busy for the given time, then waits for outstanding responses. */
  async run(milliseconds: number): Promise<Throughput> {
    const finished = new Promise<void>((resolve, reject) => {
      this.#drained = resolve;
      this.#reject = reject;
    });
    if (this.#failure) throw this.#failure;
    this.#responses = 0;
    this.#running = true;
    const cpu = process.cpuUsage();
    const start = performance.now();
    let result: Throughput | undefined;
    const timer = setTimeout(() => {
      const seconds = (performance.now() - start) / 1000;
      const { user, system } = process.cpuUsage(cpu);
      result = { responses: this.#responses, seconds, generatorShare: (user + system) / 1e6 / seconds };
      this.#running = false;
    }, milliseconds);
    for (const socket of this.#sockets) this.#send(socket, depth);
    await finished.finally(() => clearTimeout(timer));
    if (!result) throw new Error('The responses stopped before the end of the run.');
    return result;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #connect(port: number): Promise<void> {
    let rest: Buffer | undefined;
    return new Promise((resolve, reject) => {
      const receive = (length: number, buffer: Uint8Array) => {
        const fresh = (buffer as Buffer).subarray(0, length);
        const chunk = rest ? Buffer.concat([rest, fresh]) : fresh;
        const { responses, end } = this.#scan(chunk);
        // The buffer is reused for the next read, so a partial response has to be copied.
        rest = end < chunk.length ? Buffer.from(chunk.subarray(end)) : undefined;
        this.#responses += responses;
        this.#inFlight -= responses;
        if (this.#running) this.#send(socket, responses);
        else if (this.#inFlight === 0) this.#drained();
        return true;
      };
      const socket = connect({
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: { buffer: Buffer.alloc(readBuffer), callback: receive },
      });
      socket.once('connect', resolve);
      socket.once('error', reject);
      socket.on('error', (error) => this.#fail(error));
      socket.once('end', () => this.#fail(new Error('The server closed a connection.')));
      this.#sockets.push(socket);
    });
  }

  /** A connection can also break between two runs; the next run must then fail at once. */
  #fail(error: Error): void {
    this.#failure ??= error;
    this.#reject(error);
  }

  #send(socket: Socket, count: number): void {
    if (count === 0) return;
    this.#inFlight += count;
    socket.write(this.#batches[count] as Buffer);
  }

  /** Counts the complete responses in the chunk; one that is not the expected 200 fails the run. */
  #scan(chunk: Buffer): { responses: number; end: number } {
    let responses = 0;
    let end = 0;
    for (;;) {
      const head = chunk.indexOf(headEnd, end);
      if (head === -1) break;
      const body = head + headEnd.length;
      const next = body + this.#body.length;
      const length = chunk.indexOf(this.#lengthLine, end);
      const isExpected =
        statusLine.compare(chunk, end, end + statusLine.length) === 0 && length !== -1 && length < head;
      if (!isExpected) {
        this.#fail(new Error(`Unexpected response:\n${chunk.toString('latin1', end, body)}`));
        break;
      }
      if (next > chunk.length) break;
      if (this.#body.compare(chunk, body, next) !== 0) {
        this.#fail(new Error(`Unexpected body: ${chunk.toString('utf8', body, next)}`));
        break;
      }
      responses++;
      end = next;
    }
    return { responses, end };
  }
}
