import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { firstSignIn } from './first-sign-in.ts';
import { Refusal } from './platform/errors.ts';

const url = 'http://vedette.localhost:8480/welcome#code';
const newService = (hasPassword = false) => ({
  hasPassword: async () => hasPassword,
  firstLink: async () => url,
});
const newDirectory = () => {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
};

test('the link is shown on a terminal, and written to a private file otherwise', async () => {
  const dataDirectory = newDirectory();
  const file = join(dataDirectory, 'sign-in-link');
  expect(await firstSignIn(newService(), { dataDirectory, isTerminal: true })).toContain(url);
  expect(existsSync(file)).toBe(false);
  const named = await firstSignIn(newService(), { dataDirectory, isTerminal: false });
  expect(named).toContain(file);
  expect(named).not.toContain('code');
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([`${url}\n`, 0o600]);
  expect(await firstSignIn(newService(true), { dataDirectory, isTerminal: false })).toBeUndefined();
  expect(existsSync(file)).toBe(false);
});

test('where the console can not be used, the reason is shown instead', async () => {
  const firstLink = () => Promise.reject(new Refusal('CONFLICT', 'The console needs HTTPS.'));
  const options = { dataDirectory: newDirectory(), isTerminal: true };
  expect(await firstSignIn({ ...newService(), firstLink }, options)).toBe('The console needs HTTPS.');
});
