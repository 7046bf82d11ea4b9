import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAuthLog, zoneOf } from './auth-log.ts';
import { parseJournal } from './journal-lines.ts';
import { parseSshdMessage } from './sshd-messages.ts';

const fingerprint = `SHA256:${'aB3+/'.repeat(8)}xyz`;

test.each<[string, unknown]>([
  [
    `Accepted publickey for ann from 192.0.2.7 port 50022 ssh2: ED25519 ${fingerprint}`,
    { is: 'accepted', user: 'ann', address: '192.0.2.7', keyType: 'ED25519', fingerprint },
  ],
  [
    `Accepted publickey for ann from 2001:db8::7 port 1 ssh2: RSA-CERT ${fingerprint} ID x (serial 1) CA RSA ${fingerprint}`,
    { is: 'accepted', user: 'ann', address: '2001:db8::7', keyType: 'RSA-CERT', fingerprint },
  ],
  [
    `Accepted publickey for ann from 192.0.2.7 port 1 ssh2: RSA ${'ab:'.repeat(15)}cd`,
    {
      ...{ is: 'accepted', user: 'ann', address: '192.0.2.7', keyType: 'RSA' },
      fingerprint: `${'ab:'.repeat(15)}cd`,
    },
  ],
  [
    'Accepted password for root from fe80::1%eth0 port 22 ssh2',
    { is: 'accepted', user: 'root', address: 'fe80::1' },
  ],
  ['pam_unix(sshd:session): session closed for user ann', { is: 'closed', user: 'ann' }],
  ['Failed password for root from 192.0.2.7 port 22 ssh2', undefined],
  ['Invalid user Accepted password for root from 192.0.2.7 port 22', undefined],
  ['Accepted password for root from somewhere port 22 ssh2', undefined],
])('%s', (message, expected) => {
  expect(parseSshdMessage(message)).toEqual(expected);
});

test('lines have a time of the log, in its zone', () => {
  const writtenAt = Date.parse('2026-01-01T00:30:01.5Z');
  const text =
    'Dec 31 23:59:58 web sshd[11]: one\nJan  1 02:30:00 web sshd-session[12]: two: [x]\nJan  1 02:30:01 web su: no\n';
  const zone = zoneOf(text, writtenAt);
  expect(zone).toBe(2 * 3_600_000);
  expect(parseAuthLog(text, zone ?? 0, writtenAt)).toEqual([
    { at: Date.parse('2025-12-31T21:59:58Z'), pid: 11, message: 'one' },
    { at: Date.parse('2026-01-01T00:30:00Z'), pid: 12, message: 'two: [x]' },
  ]);
});

test('a log that is behind UTC at the turn of the year, or ahead of it', () => {
  const eastward = zoneOf('Jan  1 08:30:00 web cron: x\n', Date.parse('2025-12-31T23:30:00Z'));
  expect(eastward).toBe(9 * 3_600_000);
  const westward = zoneOf('Dec 31 19:30:00 web cron: x\n', Date.parse('2026-01-01T00:30:00Z'));
  expect(westward).toBe(-5 * 3_600_000);
});

test('lines with full times need no zone', () => {
  const text = '2024-05-01T15:05:05.260123+02:00 web sshd[9]: hello\n';
  expect(zoneOf(text, 0)).toBeUndefined();
  expect(parseAuthLog(text, 3_600_000, 0)).toEqual([
    { at: Date.parse('2024-05-01T13:05:05.260Z'), pid: 9, message: 'hello' },
  ]);
});

test('the journal has an object in each line, and a cursor', () => {
  const entry = {
    __CURSOR: 's=1;i=2',
    __REALTIME_TIMESTAMP: '1700000000123456',
    _PID: '7',
    MESSAGE: 'hello',
  };
  const text = `${JSON.stringify(entry)}\n${JSON.stringify({ ...entry, MESSAGE: [1, 2] })}\n{"broken\n`;
  expect(parseJournal(text)).toEqual({
    lines: [{ at: 1_700_000_000_123, pid: 7, message: 'hello' }],
    cursor: 's=1;i=2',
  });
  expect(parseJournal('{"__CURSOR":"--flush"}')).toEqual({ lines: [] });
});

test('any text is read without an error', () => {
  const unit = fc.constantFrom(
    ...'Jan 0123456789:\n',
    ' web sshd[1]: ',
    'Accepted x for y from 1.2.3.4 port 1',
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 200 }), fc.nat(), (text, writtenAt) => {
      for (const { at } of parseAuthLog(text, zoneOf(text, writtenAt) ?? 0, writtenAt))
        expect(Number.isSafeInteger(at)).toBe(true);
      parseSshdMessage(text);
    }),
  );
  fc.assert(fc.property(fc.json(), (text) => void parseJournal(text)));
});
