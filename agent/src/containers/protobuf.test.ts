import fc from 'fast-check';
import { expect, test } from 'vitest';
import { field, MalformedMessage, Message, varintBytes } from './protobuf.ts';

const number = fc.integer({ min: 1, max: 2 ** 29 - 1 });

test('strings, numbers, messages and maps are read by their numbers', () => {
  const message = new Message(
    Buffer.concat([
      ...[field(1, 'web'), field(2, 1n), field(2, 300n), field(3, field(1, 'inner'))],
      ...[field(8, Buffer.concat([field(1, 'app'), field(2, 'shop')])), field(9, 'a'), field(9, 'b')],
    ]),
  );
  expect(message.string(1)).toBe('web');
  expect(message.count(2)).toBe(300);
  expect(message.message(3).string(1)).toBe('inner');
  expect(message.entries(8)).toEqual([['app', 'shop']]);
  expect(message.strings(9)).toEqual(['a', 'b']);
  expect([message.string(20), message.count(20), message.message(20).string(1)]).toEqual(['', 0, '']);
});

test('fields of other types are passed over', () => {
  const fixed = Buffer.concat([varintBytes((4n << 3n) | 1n), Buffer.alloc(8, 1)]);
  const short = Buffer.concat([varintBytes((5n << 3n) | 5n), Buffer.alloc(4, 1)]);
  expect(new Message(Buffer.concat([fixed, short, field(1, 'x')])).string(1)).toBe('x');
});

test('times are in nanoseconds; negative numbers are none', () => {
  const message = new Message(Buffer.concat([field(1, 1_714_568_400_123_456_789n), field(2, -1n)]));
  expect(message.milliseconds(1)).toBe(1_714_568_400_123);
  expect([message.milliseconds(2), message.count(2)]).toEqual([0, 0]);
});

test('what was written is read', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(number, fc.string({ unit: 'grapheme' }))), (fields) => {
      const message = new Message(Buffer.concat(fields.map(([key, value]) => field(key, value))));
      for (const [key] of fields)
        expect(message.strings(key)).toEqual(
          fields.filter(([other]) => other === key).map(([, text]) => text),
        );
    }),
  );
  fc.assert(
    fc.property(number, fc.maxSafeNat(), (key, value) => {
      expect(new Message(field(key, BigInt(value))).count(key)).toBe(value);
    }),
  );
});

test('any bytes are a message or malformed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), number, (bytes, key) => {
      try {
        const message = new Message(Buffer.from(bytes));
        message.strings(key);
        message.messages(1);
        message.entries(2);
        message.count(3);
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedMessage);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a message that ends within a field is malformed', () => {
  const whole = Buffer.concat([field(1, 'container'), field(300, 123_456_789n)]);
  const ends = [0, field(1, 'container').length, whole.length];
  for (let end = 0; end <= whole.length; end++) {
    const part = () => new Message(whole.subarray(0, end));
    if (ends.includes(end)) part();
    else expect(part).toThrow(MalformedMessage);
  }
});

test('the number of fields is bounded, and lengths are those of the bytes', () => {
  expect(() => new Message(Buffer.alloc(400_000, field(1, '')))).toThrow(MalformedMessage);
  const length = Buffer.concat([varintBytes(10n), varintBytes((1n << 64n) - 1n), Buffer.alloc(9)]);
  expect(() => new Message(length)).toThrow(MalformedMessage);
});
