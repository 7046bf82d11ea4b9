import { expect, test } from 'vitest';
import { free, StreamedBuffer } from './streamed-buffer.ts';

test('owned memory is released immediately, other memory is kept', () => {
  const size = 256 * 1024 * 1024;
  const owned = Buffer.allocUnsafeSlow(size).fill('a');
  const other = Buffer.from(',');
  const bytes = new StreamedBuffer([owned.subarray(0, 1_000), other, owned.subarray(2_000)], owned.buffer);
  const before = process.memoryUsage().arrayBuffers;
  bytes.release();
  expect(before - process.memoryUsage().arrayBuffers).toBeGreaterThan(size / 2);
  expect(bytes.chunks.map(({ length }) => length)).toEqual([0, 1, 0]);
});

test('may be released twice or be empty', () => {
  const memory = new ArrayBuffer(10);
  const bytes = new StreamedBuffer([new Uint8Array(memory)], memory);
  bytes.release();
  bytes.release();
  free(new ArrayBuffer(0));
  StreamedBuffer.none.release();
  expect([memory.byteLength, StreamedBuffer.none.chunks]).toEqual([0, []]);
});

test('never releases the memory pool of small buffers', () => {
  const small = Buffer.from('one of many');
  new StreamedBuffer([small], small.buffer as ArrayBuffer).release();
  expect(small.toString()).toBe('one of many');
});
