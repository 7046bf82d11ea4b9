import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OutputFile } from './output-file.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-output-'));
});
afterAll(() => rmSync(directory, { recursive: true }));
const place = (name: string) => join(directory, name);

test('a file appears when it is finished, and an unfinished one is removed', async () => {
  writeFileSync(place('a'), 'old', { mode: 0o640 });
  const unfinished = await OutputFile.open(place('a'));
  await unfinished.write('new');
  expect(readFileSync(place('a'), 'utf8')).toBe('old');
  unfinished.close();
  expect(readdirSync(directory)).toEqual(['a']);
  const file = await OutputFile.open(place('a'));
  await file.write('new');
  await file.finish();
  file.close();
  expect(readFileSync(place('a'), 'utf8')).toBe('new');
  expect(statSync(place('a')).mode & 0o777).toBe(0o640);
  expect(readdirSync(directory)).toEqual(['a']);
});

test('many writers at the same time wait for the same file', async () => {
  const file = await OutputFile.open(place('b.gz'), { mode: 0o600 });
  await Promise.all(Array.from({ length: 200 }, () => file.write('x'.repeat(10_000))));
  await file.finish();
  expect(gunzipSync(readFileSync(place('b.gz'))).length).toBe(2_000_000);
  expect(statSync(place('b.gz')).mode & 0o777).toBe(0o600);
});

test('devices are written, not replaced, and links keep pointing to their file', async () => {
  const device = await OutputFile.open('/dev/null');
  await device.write('x');
  await device.finish();
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  writeFileSync(place('target'), 'old');
  symlinkSync(place('target'), place('link'));
  const file = await OutputFile.open(place('link'));
  await file.write('new');
  await file.finish();
  expect(readFileSync(place('target'), 'utf8')).toBe('new');
});

test('a place that can not be written is named', async () => {
  await expect(OutputFile.open(place('none/x'))).rejects.toThrow(
    `${place('none/x')} can not be written: ENOENT`,
  );
  await expect(OutputFile.open(directory)).rejects.toThrow(`${directory} can not be written: EISDIR`);
});
