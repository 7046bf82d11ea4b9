import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestHost } from '../testing/test-host.ts';
import { DirectoryWatch, failureOf } from './directory-watch.ts';

let host: TestHost;
let watch: DirectoryWatch;
beforeEach(() => {
  [host, watch] = [new TestHost(), new DirectoryWatch()];
  mkdirSync(join(host.root, 'etc'));
});
afterEach(() => {
  watch.close();
  host.remove();
});

const all = () => true;

test('a changed file is noted with the time of the event', async () => {
  expect(await watch.follow(host, new Map([['/etc', all]]))).toEqual([]);
  expect(watch.eventAt).toBeUndefined();
  host.write('/etc/passwd', 'x');
  await expect.poll(() => watch.eventAt).toBe(host.now());
  watch.clear();
  expect(watch.eventAt).toBeUndefined();
});

test('names that do not matter are not noted', async () => {
  await watch.follow(host, new Map([['/etc', (name: string) => name === 'passwd']]));
  host.write('/etc/mtab', 'x');
  const before = host.time;
  host.time += 1;
  host.write('/etc/passwd', 'x');
  await expect.poll(() => watch.eventAt).toBeDefined();
  expect(watch.eventAt).toBe(before + 1);
});

test('a directory in the place of another one is watched', async () => {
  const directories = new Map([['/etc', all]]);
  await watch.follow(host, directories);
  renameSync(join(host.root, 'etc'), join(host.root, 'old'));
  mkdirSync(join(host.root, 'etc'));
  await watch.follow(host, directories);
  watch.clear();
  writeFileSync(join(host.root, 'etc/new'), '');
  await expect.poll(() => watch.eventAt).toBeDefined();
});

test('a directory that does not exist is no failure', async () => {
  rmSync(join(host.root, 'etc'), { recursive: true });
  expect(await watch.follow(host, new Map([['/etc', all]]))).toEqual([]);
});

test.each([
  ['ENOSPC', 'fs.inotify.max_user_watches'],
  ['EMFILE', 'fs.inotify.max_user_instances'],
  ['EIO', 'can not be watched'],
])('%s is a gap that says what to do', (code, text) => {
  expect(failureOf(Object.assign(new Error('watch'), { code }))?.reason).toContain(text);
});
