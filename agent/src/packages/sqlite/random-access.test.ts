import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DamagedDatabase } from './damaged-database.ts';
import { RandomAccessFile } from './random-access.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-access-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('parts of a file are read as they are in it', async () => {
  const content = Buffer.alloc(2_000_000);
  for (let at = 0; at < content.length; at += 4) content.writeUInt32BE(at, at);
  const place = join(directory, 'file');
  writeFileSync(place, content);
  const opened = await open(place);
  const file = new RandomAccessFile(opened, (await opened.stat()).size);
  expect(file.size).toBe(content.length);
  await fc.assert(
    fc.asyncProperty(fc.nat(content.length - 1), fc.nat(70_000), async (offset, length) => {
      const part = content.subarray(offset, offset + length);
      if (part.length === length) expect(part.equals(await file.read(offset, length))).toBe(true);
      else await expect(file.read(offset, length)).rejects.toBeInstanceOf(DamagedDatabase);
    }),
  );
  await opened.close();
});

test('a file that is truncated while it is read is damaged', async () => {
  const place = join(directory, 'file');
  writeFileSync(place, Buffer.alloc(1_000_000));
  const opened = await open(place);
  const file = new RandomAccessFile(opened, (await opened.stat()).size);
  truncateSync(place, 500_000);
  await expect(file.read(600_000, 4096)).rejects.toBeInstanceOf(DamagedDatabase);
  await opened.close();
});
