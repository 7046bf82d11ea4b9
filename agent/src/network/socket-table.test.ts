import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSockets } from './socket-table.ts';

const heading =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const hex = (value: number, length: number) => value.toString(16).toUpperCase().padStart(length, '0');
const endpoint = fc.record({ address: fc.nat(0xffffffff), port: fc.nat(0xffff) });
const entry = fc.record({
  local: endpoint,
  remote: endpoint,
  state: fc.integer({ min: 1, max: 12 }),
  inode: fc.nat(),
});
const lineOf = ({ local, remote, state, inode }: Entry, index: number) =>
  `${String(index).padStart(4)}: ${written(local)} ${written(remote)} ${hex(state, 2)} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 00000000a9309d17 100 0 0 10 0`;
interface Entry {
  readonly local: { readonly address: number; readonly port: number };
  readonly remote: { readonly address: number; readonly port: number };
  readonly state: number;
  readonly inode: number;
}
/** As a host with the lower byte first writes it. */
function written({ address, port }: Entry['local']): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(address);
  return `${bytes.toString('hex').toUpperCase()}:${hex(port, 4)}`;
}
const dotted = (address: number) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
const tableOf = (entries: readonly Entry[]) => `${[heading, ...entries.map(lineOf)].join('\n')}\n`;

test('sockets are read as the kernel writes them', () => {
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const { sockets, unknown } = parseSockets(tableOf(entries), 'TCP');
      expect(unknown).toBe(0);
      expect(sockets).toEqual(
        entries.map(({ local, remote, state, inode }) => ({
          protocol: 'TCP',
          local: { address: dotted(local.address), port: local.port },
          remote: { address: dotted(remote.address), port: remote.port },
          isListening: state === 10,
          isConnected: remote.port !== 0 && [1, 4, 5, 6, 8, 9, 11].includes(state),
          inode,
        })),
      );
    }),
  );
});

test('what is truncated costs one socket at most', () => {
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 5 }), fc.nat(), (entries, cut) => {
      const text = tableOf(entries);
      const whole = parseSockets(text, 'UDP').sockets;
      const lines = text.slice(0, cut % text.length).split('\n').length - 2;
      const { sockets } = parseSockets(text.slice(0, cut % text.length), 'UDP');
      expect(sockets.slice(0, lines)).toEqual(whole.slice(0, Math.max(0, lines)));
      expect(sockets.length).toBeLessThanOrEqual(Math.max(0, lines + 1));
    }),
  );
});

test('any text is read without an error, and what is not understood is counted', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0AF: \n-x') }), (text) => {
      for (const { local, inode } of parseSockets(text, 'TCP').sockets)
        expect(local.port <= 0xffff && inode >= 0).toBe(true);
    }),
  );
  expect(parseSockets(`${heading}\nnonsense\n`, 'TCP')).toEqual({ sockets: [], unknown: 1 });
});
