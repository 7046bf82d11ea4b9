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
  /** Carries the requests: the same socket, or the TLS socket on top of it. */
  stream: Socket;
  current: ServerResponse | undefined;
  readonly queued: [IncomingMessage, ServerResponse][];
  /** The first check at which the current response was unread, and the bytes written by then. */
  slow: { readonly response: ServerResponse; readonly since: number; readonly written: number } | undefined;
  /** Sequence number of the last transition to idle. */
  idleSince: number;
  /** Called when the last queued request is answered. */
  onIdle: (() => void) | undefined;
  /** Whether the `unread` time limit is set on the socket. */
  isWatched: boolean;
}

const connectionKey = Symbol('connection');
type TrackedSocket = Socket & { [connectionKey]?: Connection };

export interface ConnectionsDeps {
  readonly limits: ConnectionLimits;
  readonly timeLimits: TimeLimits;
  readonly isTrustedProxy: (address: string) => boolean;
  readonly counts: ConnectionCounts;
}

/**
 * Tracks and limits the connections of a server. Pipelined requests are queued and handled one at a time, so that a client
 * that reads nothing makes the server hold one response, not hundreds. On shutdown each connection closes after its current
 * response; connections without any request are closed explicitly, because Node does not count them as idle.
 */
export class Connections {
  readonly #deps: ConnectionsDeps;
  readonly #servers: Server[] = [];
  readonly #open = new Map<string, Connection>();
  readonly #byNetwork = new Map<string, Set<Connection>>();
  readonly #watchTimer: NodeJS.Timeout;
  #handle: RequestListener = () => {};
  #busy = 0;
  /** Numbers the transitions to idle: cheaper than keeping the connections ordered. */
  #idleSequence = 0;
  #stopping = false;

  constructor(deps: ConnectionsDeps) {
    this.#deps = deps;
    this.#watchTimer = setInterval(() => this.#checkReaders(), deps.timeLimits.unread / 4).unref();
  }

  /** Dispatches the requests of a server to the handler, one at a time for each connection. */
  attach(server: Server, handle: RequestListener): void {
    this.#handle = handle;
    this.#servers.push(server);
    server.on('connection', (socket) => this.#accept(socket));
    server.on('request', (request, response) => this.#receive(request, response));
    // An unknown Expect header is ignored: the request is handled like any other.
    server.on('checkExpectation', (request, response) => this.#receive(request, response));
  }

  /**
   * For a malformed request: waits until the requests before it are answered or the client disconnects. Returns whether an
   * error response can still be written.
   */
  async whenAnswered(stream: Socket): Promise<boolean> {
    const connection = (stream as TrackedSocket)[connectionKey];
    if (!connection?.current) return stream.writable;
    if (connection.queued.at(-1)?.[0].complete === false) connection.queued.pop();
    if (!connection.current.req.complete) return stream.writable && !connection.current.headersSent;
    await new Promise<void>((resolve) => {
      connection.onIdle = resolve;
    });
    return stream.writable;
  }

  /** Closes idle connections now, and the others after their current response. */
  stop(): void {
    this.#stopping = true;
    clearInterval(this.#watchTimer);
    for (const { current, queued, socket } of this.#open.values()) {
      queued.length = 0;
      if (current) current.shouldKeepAlive = false;
      else socket.destroy();
    }
    this.#closeIfStopped();
  }

  #accept(socket: Socket): void {
    const { limits, counts, isTrustedProxy } = this.#deps;
    const address = socket.remoteAddress;
    if (this.#stopping || address === undefined) return void socket.destroy();
    // All clients behind a proxy share its address.
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
      ...{ name: keyOf(socket), socket, network, stream: socket },
      ...{ current: undefined, queued: [], slow: undefined, onIdle: undefined, isWatched: false },
      idleSince: ++this.#idleSequence,
    };
    this.#open.set(connection.name, connection);
    if (network !== undefined) this.#siblingsOf(network).add(connection);
    counts.open = this.#open.size;
    socket.once('close', () => this.#remove(connection));
  }

  /** Closes the connection that has been idle longest. */
  #closeIdle(connections: Iterable<Connection>): boolean {
    let longest: Connection | undefined;
    for (const connection of connections) {
      if (connection.current) continue;
      if (longest === undefined || connection.idleSince < longest.idleSince) longest = connection;
    }
    if (!longest) return false;
    this.#remove(longest);
    longest.socket.destroy();
    return true;
  }

  #remove(connection: Connection): void {
    const { name, network } = connection;
    if (this.#open.get(name) === connection) this.#open.delete(name);
    this.#deps.counts.open = this.#open.size;
    if (network !== undefined) {
      const siblings = this.#siblingsOf(network);
      siblings.delete(connection);
      if (siblings.size === 0) this.#byNetwork.delete(network);
    }
    this.#becomeIdle(connection);
  }

  #siblingsOf(network: string): Set<Connection> {
    const siblings = this.#byNetwork.get(network) ?? new Set();
    this.#byNetwork.set(network, siblings);
    return siblings;
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const connection = (request.socket as TrackedSocket)[connectionKey] ?? this.#find(request.socket);
    if (!connection || request.socket.destroyed) return;
    if (!connection.current) {
      this.#busy++;
      this.#handleNow(connection, request, response);
    } else if (this.#stopping) {
      return;
    } else if (mayQueue(connection, request)) {
      connection.queued.push([request, response]);
    } else {
      this.#deps.counts.closed.pipelining++;
      // Pausing the socket would not help: Node parses everything that has already arrived.
      request.socket.destroy();
    }
  }

  #find(stream: TrackedSocket): Connection | undefined {
    const connection = this.#open.get(keyOf(stream));
    if (!connection) return undefined;
    connection.stream = stream;
    stream[connectionKey] = connection;
    stream.on('timeout', () => {
      if (connection.isWatched && isUnread(connection)) this.#deps.counts.closed.unread++;
    });
    return connection;
  }

  #handleNow(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.current = response;
    response.on('close', this.#next);
    this.#handle(request, response);
  }

  /** One shared listener instead of a closure for each request. */
  readonly #next = ((connections: Connections) =>
    function (this: ServerResponse) {
      const connection = (this.req.socket as TrackedSocket)[connectionKey];
      if (connection?.current !== this) return;
      const next = connection.stream.writable ? connection.queued.shift() : undefined;
      if (next) connections.#handleNow(connection, ...next);
      else connections.#becomeIdle(connection);
    })(this);

  #becomeIdle(connection: Connection): void {
    connection.queued.length = 0;
    if (!connection.current) return;
    connection.current = undefined;
    connection.idleSince = ++this.#idleSequence;
    connection.onIdle?.();
    this.#busy--;
    this.#closeIfStopped();
  }

  #closeIfStopped(): void {
    if (this.#stopping && this.#busy === 0) for (const server of this.#servers) server.closeAllConnections();
  }

  /** The socket timeout detects a client that reads nothing, so it is shortened while a response waits to be read. */
  #checkReaders(): void {
    const { silence, unread } = this.#deps.timeLimits;
    for (const connection of this.#open.values()) {
      const isWaiting = isUnread(connection);
      if (!isWaiting) connection.slow = undefined;
      else if (this.#isTooSlow(connection)) {
        this.#deps.counts.closed.unread++;
        connection.socket.destroy();
        continue;
      }
      if (isWaiting === connection.isWatched) continue;
      connection.isWatched = isWaiting;
      if (connection.current) connection.stream.setTimeout(isWaiting ? unread : silence);
    }
  }

  /** Every byte read restarts the socket timeout, so a minimum transfer rate is enforced as well. */
  #isTooSlow(connection: Connection): boolean {
    const { unread, perMebibyte } = this.#deps.timeLimits;
    const [response, written, now] = [connection.current, connection.stream.bytesWritten, performance.now()];
    if (response && connection.slow?.response !== response)
      connection.slow = { response, written, since: now };
    const { slow } = connection;
    if (!slow) return false;
    return now - slow.since > unread + ((written - slow.written) / 1_048_576) * perMebibyte;
  }
}

/** Whether another pipelined request may be queued: their number and the memory of their headers are limited. */
function mayQueue({ queued }: Connection, request: IncomingMessage): boolean {
  if (queued.length >= maxPipelined - 1) return false;
  return (
    queued.reduce((sum, [before]) => sum + headerSize(before), headerSize(request)) <= maxQueuedHeaderBytes
  );
}

function headerSize({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, header) => sum + header.length, url.length);
}

/** Whether the client has not yet read all that was written of the current response. */
function isUnread({ current }: Connection): boolean {
  return current !== undefined && (current.writableEnded || current.writableNeedDrain);
}

/** Identical for a TCP socket and the TLS socket on top of it. */
function keyOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
