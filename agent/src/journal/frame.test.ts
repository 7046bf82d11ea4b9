import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameOf, maxFrameBytes, payloadOf, scanFrames } from './frame.ts';

const payloads = fc.array(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  { minLength: 1, maxLength: 8 },
);
const fileOf = (all: readonly Buffer[]) => Buffer.concat(all.map(frameOf));
const read = (file: Buffer) => scanFrames(file).frames.map(({ payload }) => payload.toString('hex'));
const hex = (all: readonly Buffer[]) => all.map((one) => one.toString('hex'));

test('frames are read as they were written', () => {
  fc.assert(
    fc.property(payloads, (all) => {
      const file = fileOf(all);
      const { frames, damagedBytes, end } = scanFrames(file);
      expect(read(file)).toEqual(hex(all));
      expect([damagedBytes, end]).toEqual([0, file.length]);
      for (const { offset, bytes, payload } of frames)
        expect(payloadOf(file.subarray(offset, offset + bytes))).toEqual(payload);
    }),
  );
});

test('a frame that was not written to its end is no frame, and those before it are read', () => {
  fc.assert(
    fc.property(payloads, fc.nat(), (all, cut) => {
      const whole = fileOf(all);
      const last = frameOf(all.at(-1) as Buffer).length;
      const file = whole.subarray(0, whole.length - 1 - (cut % last));
      expect(read(file)).toEqual(hex(all.slice(0, -1)));
      expect(scanFrames(file).end).toBe(whole.length - last);
    }),
  );
});

test('a changed byte costs one frame, and is noticed', () => {
  fc.assert(
    fc.property(payloads, fc.nat(), fc.integer({ min: 1, max: 255 }), (all, place, change) => {
      const file = fileOf(all);
      const at = place % file.length;
      file[at] = (file[at] as number) ^ change;
      const { frames, damagedBytes } = scanFrames(file);
      expect(damagedBytes).toBeGreaterThan(0);
      const intact = hex(all);
      expect(frames.length).toBe(all.length - 1);
      expect(frames.every(({ payload }) => intact.includes(payload.toString('hex')))).toBe(true);
    }),
  );
});

test('any bytes are read without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      const { frames, damagedBytes } = scanFrames(Buffer.from(bytes));
      expect(frames.reduce((sum, one) => sum + one.bytes, damagedBytes)).toBe(bytes.length);
    }),
  );
});

test('a payload above the limit is refused', () => {
  expect(() => frameOf(Buffer.alloc(maxFrameBytes + 1))).toThrow('too large');
});
