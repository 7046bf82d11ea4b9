import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { authorityFile, selfSignedTls } from '../platform/tls.ts';

/** A received request. */
export interface Received {
  readonly method: string;
  /** URL with the host as named by the client. */
  readonly url: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body as bytes, for binary content. */
  readonly bytes: Buffer;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Responds, never responds, closes the connection, or sends an endless response. */
export type Reaction = Reply | 'hang' | 'reset' | 'endless';

/** An external server on loopback: http and https on one port, records requests and responds as configured. */
export class Receiver {
  readonly received: Received[] = [];
  /** Certificate authority (PEM) that clients must trust. */
  readonly authority: string;
  /** Default reaction when the queue of `expect` is empty. */
  react: (received: Received) => Reaction = () => ({});
  /** Milliseconds after which a hanging connection is closed; never by default. */
  patience: number | undefined;
  readonly #next: Reaction[] = [];
  readonly #hanging: ServerResponse[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #plain = createHttpServer((request, response) => void this.#take('http', request, response));
  readonly #secure: ReturnType<typeof createHttpsServer>;
  #server: Server | undefined;
  #port = 0;

  private constructor(tls: { cert: string; key: string }, authority: string) {
    this.authority = authority;
    this.#secure = createHttpsServer(tls, (request, response) => void this.#take('https', request, response));
  }

  /** `names` are additional host names of its certificate, besides localhost and 127.0.0.1. */
  static async start(names: readonly string[] = []): Promise<Receiver> {
    const directory = mkdtempSync(join(tmpdir(), 'vedette-receiver-'));
    try {
      const tls = await selfSignedTls(directory, names, Date.now());
      const receiver = new Receiver(tls, readFileSync(authorityFile(directory), 'utf8'));
      await receiver.listen();
      return receiver;
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Queues the reactions to the next requests. */
  expect(...reactions: readonly Reaction[]): void {
    this.#next.push(...reactions);
  }

  /** Responds to all hanging requests. */
  answer({ status = 200, headers, body = '' }: Reply): void {
    for (const response of this.#hanging.splice(0)) response.writeHead(status, headers).end(body);
  }

  forget(): void {
    this.received.length = 0;
    this.#next.length = 0;
    this.#hanging.length = 0;
    this.patience = undefined;
  }

  /** Starts listening, on the same port after a close. */
  async listen(): Promise<void> {
    const server = createServer((socket) => this.#accept(socket));
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(this.#port, '127.0.0.1', resolve),
    );
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Resets all connections, as if the host went down. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await closed;
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      const isTls = first[0] === 0x16;
      (isTls ? this.#secure : this.#plain).emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  }

  async #take(scheme: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(request).catch(() => undefined);
    if (bytes === undefined) return;
    const headers = request.headers as Record<string, string>;
    const received = {
      method: String(request.method),
      url: `${scheme}://${headers.host}${request.url}`,
      headers,
      body: bytes.toString(),
      bytes,
    };
    this.received.push(received);
    const reaction = this.#next.shift() ?? this.react(received);
    if (reaction === 'hang') {
      this.#hanging.push(response);
      return void (this.patience && request.socket.setTimeout(this.patience, () => request.socket.destroy()));
    }
    if (reaction === 'reset') return void request.socket.destroy();
    if (reaction === 'endless') return writeEndlessly(response);
    response.writeHead(reaction.status ?? 200, reaction.headers).end(reaction.body ?? '');
  }
}

function writeEndlessly(response: ServerResponse): void {
  const part = 'x'.repeat(65_536);
  response.on('drain', () => writeUntilFull(response, part)).on('error', () => {});
  writeUntilFull(response, part);
}

function writeUntilFull(response: ServerResponse, part: string): void {
  while (!response.destroyed && response.write(part));
}
