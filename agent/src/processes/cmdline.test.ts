import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxCmdlineBytes, parseCmdline } from './cmdline.ts';

const parameter = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''));

test('parameters are read as they were given', () => {
  const parameters = fc.array(parameter, { minLength: 1, maxLength: 9 }).filter((all) => all.at(-1) !== '');
  fc.assert(
    fc.property(parameters, (all) => {
      const bytes = Buffer.from(`${all.join('\0')}\0`);
      expect(parseCmdline(bytes)).toEqual(all.map((one) => Buffer.from(one).toString()));
    }),
  );
});

test('threads of the kernel have none, and titles are one parameter', () => {
  expect(parseCmdline(Buffer.alloc(0))).toEqual([]);
  expect(parseCmdline(Buffer.from('nginx: worker process\0\0\0\0'))).toEqual(['nginx: worker process']);
  expect(parseCmdline(Buffer.from('no end'))).toEqual(['no end']);
});

test('any bytes are read, bounded', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(parseCmdline(Buffer.from(bytes)).join('').length).toBeLessThanOrEqual(bytes.length);
    }),
  );
  expect(parseCmdline(Buffer.alloc(10 * maxCmdlineBytes, 1)).join('').length).toBe(maxCmdlineBytes);
  expect(parseCmdline(Buffer.from('\0'.repeat(20_000).concat('x'))).length).toBe(4_096);
});
