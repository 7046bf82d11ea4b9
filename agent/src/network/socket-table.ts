import { parseAddress } from './ip-address.ts';

export type Protocol = 'TCP' | 'UDP';

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** A socket of `/proc/net/tcp` or the like. */
export interface Socket {
  readonly protocol: Protocol;
  readonly local: Endpoint;
  readonly remote: Endpoint;
  /** Whether others may connect to it; one of UDP, whether anybody may send to it. */
  readonly isListening: boolean;
  /** Whether it has a peer that has answered, or had one until a minute ago. */
  readonly isConnected: boolean;
  /** 0 if no process has it any more. */
  readonly inode: number;
}

/** States of the kernel. A socket of UDP without a peer is closed. */
const [established, closed, listening] = ['01', '07', '0A'];
/** Without those of a handshake that is not finished, whose address may be forged. */
const connected = new Set([established, '04', '05', '06', '08', '09', '0B']);

/** Lines that are not understood are counted; the last one may be truncated. */
export function parseSockets(text: string, protocol: Protocol): { sockets: Socket[]; unknown: number } {
  const sockets: Socket[] = [];
  let unknown = 0;
  const [, ...lines] = text.split('\n');
  for (const line of lines) {
    if (line.trim() === '') continue;
    const socket = parseSocket(line.trim().split(/ +/, 11), protocol);
    if (socket) sockets.push(socket);
    else unknown++;
  }
  return { sockets, unknown };
}

function parseSocket(fields: readonly string[], protocol: Protocol): Socket | undefined {
  const [local, remote] = [parseEndpoint(fields[1]), parseEndpoint(fields[2])];
  const [state = '', inode = ''] = [fields[3], fields[9]];
  if (!local || !remote || !/^[0-9A-F]{2}$/.test(state) || !/^\d{1,15}$/.test(inode)) return undefined;
  const isListening = state === (protocol === 'TCP' ? listening : closed);
  const isConnected =
    remote.port !== 0 && (protocol === 'TCP' ? connected.has(state) : state === established);
  return { protocol, local, remote, isListening, isConnected, inode: Number(inode) };
}

function parseEndpoint(field = ''): Endpoint | undefined {
  const [hex = '', port = ''] = field.split(':', 2);
  const address = parseAddress(hex);
  return address !== undefined && /^[0-9A-F]{4}$/.test(port)
    ? { address, port: Number.parseInt(port, 16) }
    : undefined;
}
