import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TokenFile } from './token-file.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-token-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('the configured token is used until another one is kept, also after a restart', async () => {
  const file = await TokenFile.open(directory, 'configured');
  expect(file.token).toBe('configured');
  await file.keep('second');
  await file.keep('third');
  expect(file.token).toBe('third');
  expect((await TokenFile.open(directory, 'configured')).token).toBe('third');
});

test('only its owner can read the file, even if an unfinished one was left behind', async () => {
  writeFileSync(join(directory, 'token.json.new'), 'unfinished', { mode: 0o644 });
  await (await TokenFile.open(directory, 'configured')).keep('second');
  expect(readdirSync(directory)).toEqual(['token.json']);
  expect(statSync(join(directory, 'token.json')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(directory, 'token.json'), 'utf8')).not.toContain('configured');
});

test('a token that is configured later, or a damaged file, prevails', async () => {
  await (await TokenFile.open(directory, 'configured')).keep('second');
  expect((await TokenFile.open(directory, 'other')).token).toBe('other');
  for (const damaged of ['', '{"token":1}', 'null']) {
    writeFileSync(join(directory, 'token.json'), damaged);
    expect((await TokenFile.open(directory, 'configured')).token).toBe('configured');
  }
});

test('if the server refuses one token, the other one is tried', async () => {
  const file = await TokenFile.open(directory, 'configured');
  file.refuse();
  expect(file.token).toBe('configured');
  await file.keep('second');
  const tried = [1, 2, 3].map(() => {
    file.refuse();
    return file.token;
  });
  expect(tried).toEqual(['configured', 'second', 'configured']);
});
