import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ImportFile } from './import-file.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-import-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const limits = { bytes: 1024 * 1024, line: 100_000 };
function file(content: string | Buffer): ImportFile {
  const path = join(directory, 'file');
  writeFileSync(path, content);
  return new ImportFile(path, limits);
}

async function linesOf(content: string | Buffer): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of file(content).lines()) lines.push(line);
  return lines;
}

test('lines are whole, whatever the chunks, compressed or not', async () => {
  // Chunks end within a character.
  const long = `a${'ü'.repeat(90_000)}`;
  for (const content of [`${long}\n\n${long}`, gzipSync(`${long}\n\n${long}`)])
    expect(await linesOf(content)).toEqual([long, '', long]);
  expect(await linesOf('')).toEqual([]);
});

test('a line that does not end is refused', async () => {
  await expect(linesOf(gzipSync('x'.repeat(10_000_000)))).rejects.toThrow(
    'A line has more than 100000 characters.',
  );
});

test('JSON may start with a byte order mark', async () => {
  expect(await file('\uFEFF{"a":1}').json()).toEqual({ a: 1 });
});

test('a small file that expands to a large one is refused', async () => {
  const bomb = gzipSync(`"${'x'.repeat(10_000_000)}"`);
  expect(bomb.length).toBeLessThan(100_000);
  await expect(file(bomb).json()).rejects.toThrow(
    'It has more than 1 MiB uncompressed: export less at a time.',
  );
});

test('problems name the file', async () => {
  await expect(new ImportFile(directory).json()).rejects.toThrow(
    `${directory}: It is a directory: name its files.`,
  );
  const missing = join(directory, 'none');
  await expect(new ImportFile(missing).modified()).rejects.toThrow(`${missing}: There is no such file.`);
});
