import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectionsOf } from './connection.ts';
import type { Endpoint, Socket } from './socket-table.ts';

const at = (address: string, port: number): Endpoint => ({ address, port });
const nowhere = at('0.0.0.0', 0);
const listener = (local: Endpoint, inode: number, protocol: 'TCP' | 'UDP' = 'TCP'): Socket => ({
  ...{ protocol, local, remote: nowhere, inode },
  isListening: true,
  isConnected: false,
});
const connected = (local: Endpoint, remote: Endpoint, inode: number): Socket => ({
  ...{ protocol: 'TCP', local, remote, inode },
  isListening: false,
  isConnected: true,
});
/** Inode 5 belongs to the process with the key 500. */
const context = { mid: 7, namespace: 'net:[1]', ownerOf: (inode: number) => inode * 100 || undefined };
const entitiesOf = (...sockets: Socket[]) =>
  connectionsOf(sockets, context).map(({ source, destination }) => [source, destination]);

const process = (pid_hash: number) => ({ type: 'Process', id: { mid: 7, pid_hash } });
const address = (ip_addr: string) => ({ type: 'IpAddress', id: { ip_addr } });
const [host, remote] = ['10.0.0.5', '203.0.113.9'];

test('a connection to another host is one of a process to an address', () => {
  expect(entitiesOf(connected(at(host, 40_000), at(remote, 443), 5))).toEqual([
    [process(500), { type: 'IpAddress', id: { ip_addr: remote, port: 443, protocol: 'TCP' } }],
  ]);
});

test('a connection to a listening port is one of an address to the port', () => {
  const client = connected(at(host, 443), at(remote, 50_000), 6);
  const port = { type: 'ServerPort', id: { mid: 7, port: 443, protocol: 'TCP' } };
  for (const listening of ['0.0.0.0', '::', host])
    expect(entitiesOf(listener(at(listening, 443), 5), client)).toEqual([[address(remote), port]]);
  expect(entitiesOf(listener(at('127.0.0.1', 443), 5), client)).not.toEqual([[address(remote), port]]);
  expect(entitiesOf(listener(at('0.0.0.0', 443), 5, 'UDP'), client)).not.toEqual([[address(remote), port]]);
});

test('a connection within the host is one between two processes', () => {
  const [server, client] = [at('127.0.0.1', 5432), at('127.0.0.1', 40_000)];
  const sockets = [listener(server, 3), connected(server, client, 4), connected(client, server, 5)];
  expect(entitiesOf(...sockets)).toEqual([[process(500), process(400)]]);
  // The process that accepted it has closed it.
  expect(entitiesOf(listener(server, 3), connected(client, server, 5))).toEqual([
    [process(500), process(300)],
  ]);
});

test('a closed connection has no process', () => {
  expect(entitiesOf(connected(at(host, 40_000), at(remote, 443), 0))).toMatchObject([
    [address(host), { type: 'IpAddress' }],
  ]);
});

test('no connection is lost or counted twice, whichever ports listen', () => {
  const endpoint = fc.record({
    address: fc.constantFrom('127.0.0.1', host),
    port: fc.integer({ min: 1, max: 4 }),
  });
  const socket = fc.oneof(
    endpoint.map((local) => listener(local, 1)),
    fc.tuple(endpoint, endpoint).map(([local, peer]) => connected(local, peer, 2)),
  );
  const normal = (one: Endpoint, other: Endpoint) =>
    [one, other]
      .map(({ address, port }) => `${address}:${port}`)
      .sort()
      .join();
  fc.assert(
    fc.property(fc.array(socket), (sockets) => {
      const pairs = sockets
        .filter(({ isConnected }) => isConnected)
        .map((one) => normal(one.local, one.remote));
      const found = connectionsOf(sockets, context).map(({ client, server }) => normal(client, server));
      expect(new Set(found)).toEqual(new Set(pairs));
    }),
  );
});
