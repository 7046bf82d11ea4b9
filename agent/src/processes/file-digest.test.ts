import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { versionOf } from '../host/file-version.ts';
import { fileDigest } from './file-digest.ts';

let directory: string;
let path: string;
const { signal } = new AbortController();
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-digest-'));
  path = join(directory, 'program');
});
afterEach(() => rmSync(directory, { recursive: true }));

const keyOf = () => versionOf(statSync(path, { bigint: true }));

test.each([0, 1, 262_144, 600_000])('the digest of %i bytes', async (size) => {
  const content = Buffer.alloc(size, 'abc');
  writeFileSync(path, content);
  expect(await fileDigest(path, keyOf(), { maxBytes: 600_000, signal })).toEqual({
    is: 'read',
    value: createHash('sha256').update(content).digest('hex'),
  });
});

test('a file that is too large, another one or missing has no digest', async () => {
  writeFileSync(path, 'content');
  const key = keyOf();
  expect(await fileDigest(path, key, { maxBytes: 6, signal })).toMatchObject({ is: 'unreadable' });
  expect(await fileDigest(path, key, { maxBytes: 7, signal: AbortSignal.abort() })).toMatchObject({
    is: 'unreadable',
  });
  writeFileSync(path, 'other content');
  expect(await fileDigest(path, key, { maxBytes: 100, signal })).toMatchObject({ is: 'unreadable' });
  rmSync(path);
  expect(await fileDigest(path, key, { maxBytes: 100, signal })).toEqual({ is: 'absent' });
});
