import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodedId, decodedString, parseAuditRecord } from './audit-record.ts';

const line =
  'type=SYSCALL msg=audit(1767261600.123:24287): arch=c000003e syscall=59 success=yes exit=0 items=2 ppid=2686 pid=3538 uid=0 gid=0 tty=pts0 comm="cat" exe="/usr/bin/cat" key=(null)\x1dARCH=x86_64 SYSCALL=execve UID="root"';

test('a record has its type, event, time and fields, without the enrichment', () => {
  const record = parseAuditRecord(line);
  expect(record).toMatchObject({ type: 'SYSCALL', event: '1767261600.123:24287', at: 1_767_261_600_123 });
  expect(record?.fields.get('exe')).toBe('"/usr/bin/cat"');
  expect(record?.fields.get('pid')).toBe('3538');
  expect(record?.fields.has('UID')).toBe(false);
  expect(parseAuditRecord(`node=web-1 ${line}`)).toEqual(record);
});

test.each(['', 'type=SYSCALL', 'type=SYSCALL msg=audit(1.2:3): a=b', 'msg=audit(1.234:5): a=b'])(
  'not a record: %s',
  (text) => {
    expect(parseAuditRecord(text)).toBeUndefined();
  },
);

test('strings are quoted or hexadecimal', () => {
  expect(['"a b"', '6120620A', '(null)', '', undefined, '"open', 'abc'].map(decodedString)).toEqual([
    ...['a b', 'a b\n', undefined, undefined, undefined, 'open', 'abc'],
  ]);
  expect(['0', '4294967295', '-1', '', 'x', '99999999999'].map(decodedId)).toEqual([
    ...[0, 4_294_967_295, undefined, undefined, undefined, undefined],
  ]);
});

test('what the kernel writes in hexadecimal is read', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      expect(decodedString(Buffer.from(text).toString('hex').toUpperCase())).toBe(text);
    }),
  );
});

test('any line is parsed, and one that is truncated or damaged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(line.length), (text, at) => {
      parseAuditRecord(text);
      parseAuditRecord(line.slice(0, at));
      parseAuditRecord(line.slice(0, at) + text + line.slice(at));
    }),
  );
});
