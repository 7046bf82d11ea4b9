import { expect, test } from 'vitest';
import type { Connection } from './connection.ts';
import { ConnectionWindow } from './connection-window.ts';

const [start, end] = ['2026-01-01T10:00:00.000Z', '2026-01-01T10:05:00.000Z'];
const connection = (port: number, other: Partial<Connection> = {}): Connection => ({
  key: `c ${port}`,
  inode: port,
  isIncoming: false,
  source: { type: 'Process', id: { mid: 7, pid_hash: 1 } },
  destination: { type: 'IpAddress', id: { ip_addr: '203.0.113.9', port: 443, protocol: 'TCP' } },
  client: { address: '10.0.0.5', port },
  server: { address: '203.0.113.9', port: 443 },
  protocol: 'TCP',
  ...other,
});
const none = () => undefined;
const bytes = (sent: number, received: number) => () => ({ sent, received });

test('connections between the same entities are one record', () => {
  const window = new ConnectionWindow();
  window.sample([connection(1), connection(2)], none);
  window.sample([connection(2), connection(3)], none);
  expect(window.end(start, end, false)).toEqual([
    {
      ...{ startTime: start, endTime: end },
      srcEntityType: 'Process',
      srcEntityId: { mid: 7, pid_hash: 1 },
      dstEntityType: 'IpAddress',
      dstEntityId: { ip_addr: '203.0.113.9', port: 443, protocol: 'TCP' },
      ...{ srcInBytes: 0, srcOutBytes: 0, dstInBytes: 0, dstOutBytes: 0 },
      numConns: 3,
      endpointDetails: [
        { src_ip_addr: '10.0.0.5', dst_ip_addr: '203.0.113.9', dst_port: 443, protocol: 'TCP' },
      ],
      props: { bytes: 'unknown' },
    },
  ]);
});

test('a connection that stays open counts once in an hour', () => {
  const window = new ConnectionWindow();
  window.sample([connection(1)], none);
  expect(window.end(start, end, false)).toMatchObject([{ numConns: 1 }]);
  window.sample([connection(1)], none);
  expect(window.end(start, end, true)).toEqual([]);
  window.sample([connection(1)], none);
  expect(window.end(start, end, false)).toMatchObject([{ numConns: 1 }]);
});

test('bytes are those since the last sample, and not those from before the first one', () => {
  const window = new ConnectionWindow();
  window.sample([connection(1)], bytes(1_000, 5_000));
  window.sample([connection(1)], bytes(1_010, 5_200));
  const [first] = window.end(start, end, false);
  expect(first).toMatchObject({ srcOutBytes: 10, srcInBytes: 200, dstInBytes: 10, dstOutBytes: 200 });
  expect(first).not.toHaveProperty('props');
  window.sample([connection(1), connection(2)], (inode) => ({
    sent: inode === 1 ? 1_015 : 7,
    received: 5_200,
  }));
  expect(window.end(start, end, false)).toMatchObject([{ numConns: 1, srcOutBytes: 12, srcInBytes: 5_200 }]);
});

test('what a server receives is what its client sent', () => {
  const window = new ConnectionWindow();
  window.sample([], none);
  window.sample([connection(1, { isIncoming: true })], bytes(10, 200));
  expect(window.end(start, end, false)).toMatchObject([{ srcOutBytes: 200, srcInBytes: 10 }]);
});

test('a closed connection stays that of its process; another one with its addresses is a new one', () => {
  const window = new ConnectionWindow();
  const source = { type: 'IpAddress', id: { ip_addr: '10.0.0.5' } } as const;
  window.sample([connection(1)], none);
  window.sample([connection(1, { inode: 0, source })], none);
  expect(window.end(start, end, false)).toMatchObject([{ srcEntityType: 'Process', numConns: 1 }]);
  window.sample([connection(1, { inode: 88 })], none);
  window.sample([connection(1, { inode: 99 })], none);
  expect(window.end(start, end, false)).toMatchObject([{ numConns: 2 }]);
});
