import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sampleProcess } from '../processes/host-process.sample.ts';
import type { HostProcess } from '../processes/host-process.ts';
import { ProcessTable } from '../processes/process-table.ts';
import { read, unreadable } from '../reading.ts';
import type { Observation } from '../source.ts';
import { ingestedAs } from '../testing/ingest.ts';
import { TestHost } from '../testing/test-host.ts';
import { ConnectionsSource } from './connections-source.ts';
import { DnsSource } from './dns-source.ts';

const path = 'Activities/Connections';
const started = Date.parse('2026-01-01T10:20:00.000Z');
const whatOf = ({ gaps }: Observation) => gaps.map(({ what }) => what);

describe('of this host', () => {
  test('a connection between two sockets of this process is found, with its bytes', async () => {
    const server = createServer((peer) => peer.resume()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const host = Object.assign(new TestHost('/'), { time: started });
    const table = new ProcessTable({ ...host, now: Date.now });
    const source = new ConnectionsSource({ processes: table.read });
    await source.observe(host);
    const accepted = once(server, 'connection');
    const client = connect(port, '127.0.0.1');
    const [peer] = (await accepted) as [Socket];
    try {
      client.write(Buffer.alloc(5_000));
      while (peer.bytesRead < 5_000) await once(peer, 'data');
      // The answer confirms what was received.
      peer.write('.');
      await once(client, 'data');
      host.time += 10_000;
      const observation = await source.observe(host);
      const processes = await table.read();
      const own = processes.is === 'read' && processes.value.find(({ pid }) => pid === process.pid);
      const entity = { mid: 7, pid_hash: own ? own.key : undefined };
      const details = { dst_ip_addr: '127.0.0.1', dst_port: port, src_ip_addr: '127.0.0.1', protocol: 'TCP' };
      const record = ingestedAs(path, observation).find((one) =>
        JSON.stringify(one.endpointDetails).includes(`"dst_port":${port},`),
      );
      expect(record).toMatchObject({
        startTime: '2026-01-01T10:20:00.000Z',
        endTime: '2026-01-01T10:20:10.000Z',
        srcEntityType: 'Process',
        srcEntityId: entity,
        dstEntityType: 'Process',
        dstEntityId: entity,
        endpointDetails: expect.arrayContaining([details]),
      });
      const ss = await host.programs.output('ss', ['-V']);
      if (ss.is === 'read') expect(record?.srcOutBytes).toBeGreaterThanOrEqual(5_000);
      expect(whatOf(observation)).toContain('Short connections');
    } finally {
      client.destroy();
      server.close();
    }
  });
});

describe('of a mounted host', () => {
  let host: TestHost;
  let processes: HostProcess[];
  const heading = 'sl local rem st\n';
  /** From 10.0.0.5:40000 to 203.0.113.9:443. */
  const established = (inode: number) =>
    ` 0: 0500000A:9C40 097100CB:01BB 01 00000000:00000000 00:00000000 00000000 0 0 ${inode} 1\n`;

  beforeEach(() => {
    host = Object.assign(new TestHost(), { time: started });
    processes = [];
  });
  afterEach(() => host.remove());

  function run(pid: number, network: string, table: string, sockets: readonly number[]): HostProcess {
    mkdirSync(host.place(`proc/${pid}/fd`), { recursive: true });
    host.write(`proc/${pid}/net/tcp`, heading + table);
    for (const inode of sockets) symlinkSync(`socket:[${inode}]`, host.place(`proc/${pid}/fd/${inode}`));
    const process = sampleProcess({ pid, network: read(network) });
    processes.push(process);
    return process;
  }
  const source = () =>
    new ConnectionsSource({
      processes: async () => read(processes),
      file: host.place('state/connections.json'),
    });

  async function observe(one: ConnectionsSource, seconds: number, cursor?: unknown) {
    host.time += seconds * 1_000;
    const observation = await one.observe(host, cursor);
    return { ...observation, accepted: ingestedAs(path, observation, host.now()) };
  }

  test('each network namespace is read once, and the same addresses are two connections', async () => {
    const [first, second] = [run(1, 'net:[1]', established(5), [5]), run(2, 'net:[2]', established(6), [6])];
    run(3, 'net:[2]', established(7), [7]);
    const connections = source();
    await observe(connections, 0);
    const observation = await observe(connections, 10);
    expect(observation.accepted.map(({ srcEntityId, numConns }) => [srcEntityId, numConns])).toEqual([
      [{ mid: 7, pid_hash: first.key }, 1],
      [{ mid: 7, pid_hash: second.key }, 1],
    ]);
    expect(whatOf(observation)).toContain('Bytes of connections in containers');
  });

  test('reports cover five minutes, the first one ten seconds, and none reaches over an hour', async () => {
    run(1, 'net:[1]', established(5), [5]);
    const connections = source();
    const windows: unknown[] = [];
    for (let seconds = 0; seconds <= 45 * 60; seconds += 10)
      for (const { startTime, endTime, numConns } of (await observe(connections, seconds && 10)).accepted)
        windows.push([startTime, endTime, numConns]);
    expect(windows).toEqual([
      ['2026-01-01T10:20:00.000Z', '2026-01-01T10:20:10.000Z', 1],
      ['2026-01-01T11:00:00.000Z', '2026-01-01T11:05:00.000Z', 1],
    ]);
    host.write('proc/1/net/tcp', heading + established(8));
    await observe(connections, 10);
    const { accepted } = await observe(connections, 2 * 60 * 60);
    expect(accepted.map(({ startTime, endTime }) => [startTime, endTime])).toEqual([
      ['2026-01-01T11:05:00.000Z', '2026-01-01T12:00:00.000Z'],
      ['2026-01-01T13:00:00.000Z', '2026-01-01T13:05:10.000Z'],
    ]);
  });

  describe('an agent that was killed', () => {
    const periods = (accepted: readonly Record<string, unknown>[]) =>
      accepted.map(({ startTime, endTime, numConns }) => [startTime, endTime, numConns]);

    test('goes on with its window, and counts what is still open once', async () => {
      run(1, 'net:[1]', '', []);
      const killed = source();
      await observe(killed, 0);
      host.write('proc/1/net/tcp', heading + established(5));
      await observe(killed, 5);
      const next = source();
      await observe(next, 3);
      host.write('proc/1/net/tcp', heading);
      const { accepted, cursor } = await observe(next, 5 * 60);
      expect(periods(accepted)).toEqual([['2026-01-01T10:20:00.000Z', '2026-01-01T10:25:08.000Z', 1]]);
      expect(cursor).toEqual({ reported: 1 });
    });

    test('reports a window of long ago until its last sample', async () => {
      run(1, 'net:[1]', established(5), [5]);
      const killed = source();
      await observe(killed, 0);
      await observe(killed, 8);
      host.write('proc/1/net/tcp', heading);
      const { accepted, cursor } = await observe(source(), 2 * 60 * 60);
      expect(periods(accepted)).toEqual([['2026-01-01T10:20:00.000Z', '2026-01-01T10:20:08.000Z', 1]]);
      expect(cursor).toEqual({ reported: 1 });
    });

    test('reports nothing twice, and all of what the journal does not have', async () => {
      run(1, 'net:[1]', established(5), [5]);
      const killed = source();
      await observe(killed, 0);
      const { accepted, cursor } = await observe(killed, 10);
      expect(periods(accepted)).toHaveLength(1);
      // The journal does not have the report.
      expect(periods((await observe(source(), 6 * 60)).accepted)).toEqual([
        ['2026-01-01T10:20:00.000Z', '2026-01-01T10:20:00.000Z', 1],
      ]);
      // The journal has it, and the connection stays counted.
      const next = source();
      for (const seconds of [0, 10, 6 * 60])
        expect(periods((await observe(next, seconds, cursor)).accepted)).toEqual([]);
    });

    test('begins anew if the file is damaged', async () => {
      run(1, 'net:[1]', established(5), [5]);
      host.write('state/connections.json', '{"number":1,"start":0');
      const next = source();
      await observe(next, 0);
      expect(periods((await observe(next, 10)).accepted)).toEqual([
        ['2026-01-01T10:20:00.000Z', '2026-01-01T10:20:10.000Z', 1],
      ]);
    });
  });

  test('a clock that is set back does not give a window that ends before it begins', async () => {
    run(1, 'net:[1]', established(5), [5]);
    const connections = source();
    await observe(connections, 0);
    await observe(connections, -7_200);
    const { accepted } = await observe(connections, 10);
    expect(accepted).toMatchObject([
      { startTime: '2026-01-01T08:20:00.000Z', endTime: '2026-01-01T08:20:10.000Z' },
    ]);
  });

  test('what is not understood and what may not be read are gaps', async () => {
    run(1, 'net:[1]', 'nonsense\n', []);
    processes.push(sampleProcess({ pid: 2, network: unreadable('denied') }));
    expect(whatOf(await observe(source(), 0))).toEqual(
      expect.arrayContaining(['Some connections', 'Connections in other network namespaces']),
    );
    const failing = new ConnectionsSource({ processes: async () => unreadable('no /proc') });
    expect((await failing.observe(host)).gaps).toContainEqual({
      what: 'Connections',
      reason: 'no /proc',
    });
  });
});

test('DNS queries are a gap', async () => {
  expect(whatOf(await new DnsSource().observe())).toEqual(['DNS queries']);
});
