import { isLoopback } from '../machine/address.ts';
import { isAnyAddress } from './ip-address.ts';
import type { Endpoint, Protocol, Socket } from './socket-table.ts';

/** An end of a connection as records name it. */
export interface Entity {
  readonly type: 'Process' | 'ServerPort' | 'IpAddress';
  readonly id: Readonly<Record<string, string | number>>;
}

export interface Connection {
  /** The same for both ends, if both are on this host. */
  readonly key: string;
  readonly inode: number;
  /** Whether the socket is the one of the server. */
  readonly isIncoming: boolean;
  readonly source: Entity;
  readonly destination: Entity;
  readonly client: Endpoint;
  readonly server: Endpoint;
  readonly protocol: Protocol;
}

export interface ConnectionContext {
  readonly mid: number;
  /** Of the network namespace. */
  readonly namespace: string;
  /** The key of the process that has a socket. */
  readonly ownerOf: (inode: number) => number | undefined;
}

/** The connections among the sockets of a network namespace. One between two of its processes is one connection. */
export function connectionsOf(sockets: readonly Socket[], context: ConnectionContext): Connection[] {
  const listening = new Listening(sockets);
  const pairs = new Map(sockets.filter(({ isConnected }) => isConnected).map((one) => [pairOf(one), one]));
  return [...pairs.values()].flatMap((socket) => {
    const peer = pairs.get(pairOf({ ...socket, local: socket.remote, remote: socket.local }));
    const isIncoming = listening.at(socket.protocol, socket.local) !== undefined;
    if (!isIncoming || !peer)
      return [isIncoming ? incoming(socket, context) : outgoing(socket, peer, listening, context)];
    // The end of the client knows more. If both ends are at listening ports, either of them may be the client.
    const isPeerIncoming = listening.at(socket.protocol, socket.remote) !== undefined;
    return isPeerIncoming && pairOf(socket) <= pairOf(peer)
      ? [outgoing(socket, peer, listening, context)]
      : [];
  });
}

function incoming(socket: Socket, { mid, namespace }: ConnectionContext): Connection {
  const { protocol, local: server, remote: client, inode } = socket;
  return {
    key: `${namespace} ${pairOf({ protocol, local: client, remote: server })}`,
    inode,
    isIncoming: true,
    source: { type: 'IpAddress', id: { ip_addr: client.address } },
    destination: { type: 'ServerPort', id: { mid, port: server.port, protocol } },
    client,
    server,
    protocol,
  };
}

function outgoing(
  socket: Socket,
  peer: Socket | undefined,
  listening: Listening,
  { mid, namespace, ownerOf }: ConnectionContext,
): Connection {
  const { protocol, local: client, remote: server, inode } = socket;
  const owner = ownerOf(inode);
  const listener = peer || isLoopback(server.address) ? listening.at(protocol, server) : undefined;
  const target = (peer && ownerOf(peer.inode)) ?? (listener && ownerOf(listener.inode));
  return {
    key: `${namespace} ${pairOf(socket)}`,
    inode,
    isIncoming: false,
    // A connection that was closed meanwhile has no process any more.
    source:
      owner === undefined
        ? { type: 'IpAddress', id: { ip_addr: client.address } }
        : { type: 'Process', id: { mid, pid_hash: owner } },
    destination:
      target === undefined
        ? { type: 'IpAddress', id: { ip_addr: server.address, port: server.port, protocol } }
        : { type: 'Process', id: { mid, pid_hash: target } },
    client,
    server,
    protocol,
  };
}

function pairOf({ protocol, local, remote }: Pick<Socket, 'protocol' | 'local' | 'remote'>): string {
  return `${protocol} ${local.address} ${local.port} ${remote.address} ${remote.port}`;
}

/** The ports on which connections are accepted. */
class Listening {
  readonly #sockets = new Map<string, Socket[]>();

  constructor(sockets: readonly Socket[]) {
    for (const socket of sockets) {
      if (!socket.isListening) continue;
      const port = `${socket.protocol} ${socket.local.port}`;
      this.#sockets.set(port, [...(this.#sockets.get(port) ?? []), socket]);
    }
  }

  at(protocol: Protocol, { address, port }: Endpoint): Socket | undefined {
    const sockets = this.#sockets.get(`${protocol} ${port}`);
    return (
      sockets?.find(({ local }) => local.address === address) ??
      sockets?.find(({ local }) => isAnyAddress(local.address))
    );
  }
}
