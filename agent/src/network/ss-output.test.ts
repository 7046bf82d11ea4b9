import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSs } from './ss-output.ts';

const entry = fc.record({
  inode: fc.integer({ min: 1, max: 2 ** 40 }),
  sent: fc.nat(),
  received: fc.nat(),
  isOneLine: fc.boolean(),
});
type Entry = typeof entry extends fc.Arbitrary<infer Value> ? Value : never;

const written = ({ inode, sent, received, isOneLine }: Entry) =>
  `ESTAB 0      0      127.0.0.1:32918 127.0.0.1:42937 timer:(on,200ms,0) uid:1000 ino:${inode} sk:1 cgroup:/a bytes_acked:7 b <->` +
  `${isOneLine ? '' : '\n\t'} ts sack bbr wscale:10,10 rto:204 rtt:3.001/5.272 mss:65483 cwnd:14 bytes_sent:${sent}` +
  `${sent > 0 ? ` bytes_acked:${sent}` : ''}${received > 0 ? ` bytes_received:${received}` : ''} segs_out:65\n`;

test('counters are found by the inode; ss leaves out those that are zero', () => {
  fc.assert(
    fc.property(fc.uniqueArray(entry, { selector: ({ inode }) => inode }), (entries) => {
      expect(parseSs(entries.map(written).join(''))).toEqual(
        new Map(entries.map(({ inode, sent, received }) => [inode, { sent, received }])),
      );
    }),
  );
});

test('a socket without counters does not take those of the next one', () => {
  const text = `TIME-WAIT 0 0 1.1.1.1:1 2.2.2.2:2 timer:(timewait,5sec,0) ino:0 sk:3\n${written({ inode: 9, sent: 5, received: 6, isOneLine: false })}`;
  expect([...parseSs(text)]).toEqual([[9, { sent: 5, received: 6 }]]);
  expect([...parseSs(`ESTAB 0 0 a b ino:4 sk:1\nESTAB 0 0 a b\n\t rto:1 bytes_acked:5\n`)]).toEqual([]);
});

test('any text is read without an error', () => {
  const words = fc.constantFrom(
    ' ino:',
    ' rto:',
    ' bytes_acked:',
    ' bytes_received:',
    '\n',
    '\t',
    '1',
    '99999999999999999999',
    'x',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(words), (text) => {
      for (const [inode, { sent, received }] of parseSs(text.join('')))
        for (const value of [inode, sent, received]) expect(Number.isSafeInteger(value)).toBe(true);
    }),
  );
});
