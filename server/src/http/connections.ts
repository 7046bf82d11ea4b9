import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork } from '../platform/client-address.ts';
import { type ConnectionLimits, maxPipelined, maxQueuedHeaderBytes, type TimeLimits } from './limits.ts';
import type { ConnectionCounts } from './metrics.ts';

interface Connection {
  readonly name: string;
  /** The TCP socket. */
  readonly socket: Socket;
  readonly network: string | undefined;
  /** What requests arrive on: the same socket, or the TLS session on top of it. */
  stream: Socket;
  current: ServerResponse | undefined;
  readonly waiting: [IncomingMessage, ServerResponse][];
  /** When an answer was first seen to wait for its reader, and how much was written by then. */
  slow: { readonly answer: ServerResponse; readonly since: number; readonly written: number } | undefined;
  /** Which one it was to become idle. */
  idleSince: number;
  /** Called when nothing is left to be answered. */
  afterwards: (() => void) | undefined;
  /** Whether the time limit for a client that does not read its answer applies. */
  isWatched: boolean;
}

const held = Symbol('connection');
type HeldSocket = Socket & { [held]?: Connection };

export interface ConnectionsDeps {
  readonly limits: ConnectionLimits;
  readonly timeLimits: TimeLimits;
  readonly isTrustedProxy: (address: string) => boolean;
  readonly counts: ConnectionCounts;
}

/**
 * The connections of a server. Each has one answer at a time: pipelined requests wait for their turn, so that a client that
 * reads nothing makes the server hold one answer and not hundreds. A server that stops closes each connection after its
 * last answer; those on which nothing was asked are closed too, because Node does not count them as idle.
 */
export class Connections {
  readonly #deps: ConnectionsDeps;
  readonly #servers: Server[] = [];
  readonly #open = new Map<string, Connection>();
  readonly #byNetwork = new Map<string, Set<Connection>>();
  readonly #watch: NodeJS.Timeout;
  #handle: RequestListener = () => {};
  #busy = 0;
  /** Counts how often a connection became idle, which puts them in order at less cost than moving them. */
  #rests = 0;
  #stopping = false;

  constructor(deps: ConnectionsDeps) {
    this.#deps = deps;
    this.#watch = setInterval(() => this.#watchReaders(), deps.timeLimits.unread / 4).unref();
  }

  /** Takes the requests of a server and hands them on, one after the other for each connection. */
  attach(server: Server, handle: RequestListener): void {
    this.#handle = handle;
    this.#servers.push(server);
    server.on('connection', (socket) => this.#accept(socket));
    server.on('request', (request, response) => this.#take(request, response));
    // Nothing is expected of us: the request is answered as any other.
    server.on('checkExpectation', (request, response) => this.#take(request, response));
  }

  /**
   * For a request that broke off: waits until those before it are answered or the client is gone. Returns whether it can still
   * be answered itself.
   */
  async whenAnswered(stream: Socket): Promise<boolean> {
    const connection = (stream as HeldSocket)[held];
    if (!connection?.current) return stream.writable;
    if (connection.waiting.at(-1)?.[0].complete === false) connection.waiting.pop();
    if (!connection.current.req.complete) return stream.writable && !connection.current.headersSent;
    await new Promise<void>((resolve) => {
      connection.afterwards = resolve;
    });
    return stream.writable;
  }

  /** The answer that is being made is the last one of its connection. */
  stop(): void {
    this.#stopping = true;
    clearInterval(this.#watch);
    for (const { current, waiting, socket } of this.#open.values()) {
      waiting.length = 0;
      if (current) current.shouldKeepAlive = false;
      else socket.destroy();
    }
    this.#closeIfDone();
  }

  #accept(socket: Socket): void {
    const { limits, counts, isTrustedProxy } = this.#deps;
    const address = socket.remoteAddress;
    if (this.#stopping || address === undefined) return void socket.destroy();
    // Many clients share the address of a proxy.
    const network = isTrustedProxy(address) ? undefined : clientNetwork(address);
    const siblings = network === undefined ? undefined : this.#byNetwork.get(network);
    if (siblings && siblings.size >= limits.perAddress && !this.#closeIdle(siblings)) {
      counts.refused.address++;
      return void socket.destroy();
    }
    if (this.#open.size >= limits.total && !this.#closeIdle(this.#open.values())) {
      counts.refused.total++;
      return void socket.destroy();
    }
    const connection: Connection = {
      ...{ name: nameOf(socket), socket, network, stream: socket },
      ...{ current: undefined, waiting: [], slow: undefined, afterwards: undefined, isWatched: false },
      idleSince: ++this.#rests,
    };
    this.#open.set(connection.name, connection);
    if (network !== undefined) this.#siblingsOf(network).add(connection);
    counts.open = this.#open.size;
    socket.once('close', () => this.#forget(connection));
  }

  /** Closes the connection that has been idle longest. */
  #closeIdle(connections: Iterable<Connection>): boolean {
    let longest: Connection | undefined;
    for (const connection of connections) {
      if (connection.current) continue;
      if (longest === undefined || connection.idleSince < longest.idleSince) longest = connection;
    }
    if (!longest) return false;
    this.#forget(longest);
    longest.socket.destroy();
    return true;
  }

  #forget(connection: Connection): void {
    const { name, network } = connection;
    if (this.#open.get(name) === connection) this.#open.delete(name);
    this.#deps.counts.open = this.#open.size;
    if (network !== undefined) {
      const siblings = this.#siblingsOf(network);
      siblings.delete(connection);
      if (siblings.size === 0) this.#byNetwork.delete(network);
    }
    this.#rest(connection);
  }

  #siblingsOf(network: string): Set<Connection> {
    const siblings = this.#byNetwork.get(network) ?? new Set();
    this.#byNetwork.set(network, siblings);
    return siblings;
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const connection = (request.socket as HeldSocket)[held] ?? this.#find(request.socket);
    if (!connection || request.socket.destroyed) return;
    if (!connection.current) {
      this.#busy++;
      this.#begin(connection, request, response);
    } else if (this.#stopping) {
      return;
    } else if (mayWait(connection, request)) {
      connection.waiting.push([request, response]);
    } else {
      this.#deps.counts.closed.pipelining++;
      // Node parses all that has arrived, whatever a socket that is paused would hold back.
      request.socket.destroy();
    }
  }

  #find(stream: HeldSocket): Connection | undefined {
    const connection = this.#open.get(nameOf(stream));
    if (!connection) return undefined;
    connection.stream = stream;
    stream[held] = connection;
    stream.on('timeout', () => {
      if (connection.isWatched && isUnread(connection)) this.#deps.counts.closed.unread++;
    });
    return connection;
  }

  #begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.current = response;
    response.on('close', this.#next);
    this.#handle(request, response);
  }

  /** One function for all responses; a closure for each would cost every request. */
  readonly #next = ((connections: Connections) =>
    function (this: ServerResponse) {
      const connection = (this.req.socket as HeldSocket)[held];
      if (connection?.current !== this) return;
      const next = connection.stream.writable ? connection.waiting.shift() : undefined;
      if (next) connections.#begin(connection, ...next);
      else connections.#rest(connection);
    })(this);

  #rest(connection: Connection): void {
    connection.waiting.length = 0;
    if (!connection.current) return;
    connection.current = undefined;
    connection.idleSince = ++this.#rests;
    connection.afterwards?.();
    this.#busy--;
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (this.#stopping && this.#busy === 0) for (const server of this.#servers) server.closeAllConnections();
  }

  /** The socket's own time limit notices whether anything was read since, so it is set where something waits to be. */
  #watchReaders(): void {
    const { silence, unread } = this.#deps.timeLimits;
    for (const connection of this.#open.values()) {
      const waits = isUnread(connection);
      if (!waits) connection.slow = undefined;
      else if (this.#isTooSlow(connection)) {
        this.#deps.counts.closed.unread++;
        connection.socket.destroy();
        continue;
      }
      if (waits === connection.isWatched) continue;
      connection.isWatched = waits;
      if (connection.current) connection.stream.setTimeout(waits ? unread : silence);
    }
  }

  /** That time limit starts anew with every byte that is read, so the rate is limited too. */
  #isTooSlow(connection: Connection): boolean {
    const { unread, perMebibyte } = this.#deps.timeLimits;
    const [answer, written, now] = [connection.current, connection.stream.bytesWritten, performance.now()];
    if (answer && connection.slow?.answer !== answer) connection.slow = { answer, written, since: now };
    const { slow } = connection;
    if (!slow) return false;
    return now - slow.since > unread + ((written - slow.written) / 1_048_576) * perMebibyte;
  }
}

/** Whether another pipelined request of it may wait: they are few, and their headers are kept in memory. */
function mayWait({ waiting }: Connection, request: IncomingMessage): boolean {
  if (waiting.length >= maxPipelined - 1) return false;
  return (
    waiting.reduce((sum, [before]) => sum + headerSize(before), headerSize(request)) <= maxQueuedHeaderBytes
  );
}

function headerSize({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, url.length);
}

/** Whether all or part of an answer is written and the client has not taken it. */
function isUnread({ current }: Connection): boolean {
  return current !== undefined && (current.writableEnded || current.writableNeedDrain);
}

/** The same for a TCP socket and the TLS session on top of it. */
function nameOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
