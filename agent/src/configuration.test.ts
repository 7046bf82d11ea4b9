import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfiguration } from './configuration.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-agent-'));
  file = join(directory, 'agent.json');
  writeFileSync(file, '{"server":"https://file.example.com/path","token":"of-file","tags":{"Env":"file"}}');
});
afterEach(() => rmSync(directory, { recursive: true }));

test('options come before the environment, and that before the file', () => {
  const environment = { VEDETTE_AGENT_TOKEN: 'of-environment', VEDETTE_AGENT_TAGS: 'Env=test, Team=web' };
  expect(
    readConfiguration({ options: { server: 'http://127.0.0.1:8080' }, environment, file }),
  ).toMatchObject({
    ...{ server: 'http://127.0.0.1:8080', token: 'of-environment', tags: { Env: 'test', Team: 'web' } },
    ...{ stateDirectory: '/var/lib/vedette-agent', hostRoot: '/', maxJournalBytes: 256 * 1024 * 1024 },
    ...{ without: [], watched: undefined },
  });
  expect(readConfiguration({ options: {}, environment: {}, file })).toMatchObject({
    ...{ server: 'https://file.example.com', token: 'of-file', tags: { Env: 'file' } },
  });
});

test('a token may be in a file, and lists may be JSON or have commas', () => {
  const tokenFile = join(directory, 'token');
  writeFileSync(tokenFile, 'secret\n');
  writeFileSync(file, JSON.stringify({ server: 'https://a.example.com', tokenFile, without: ['keys'] }));
  const options = { watched: '/etc, /opt/app' };
  expect(readConfiguration({ options, environment: {}, file })).toMatchObject({
    ...{ token: 'secret', without: ['keys'], watched: ['/etc', '/opt/app'] },
  });
});

test.each([
  [{}, {}, 'The URL of the Vedette server is missing: pass --server, or set VEDETTE_AGENT_SERVER'],
  [{ server: 'https://a' }, {}, 'The agent access token is missing: pass --token'],
  [{ server: 'ftp://a', token: 't' }, {}, "The server 'ftp://a' is not a URL"],
  [
    { server: 'https://a', token: 't', maxJournalMegabytes: '0' },
    {},
    'maxJournalMegabytes is a number from 1',
  ],
  [
    { server: 'https://a', token: 't', tags: 'Env' },
    {},
    "tags are pairs such as Env=test,Team=web, not 'Env'",
  ],
  [{ server: 'https://a', tokenFile: '/missing' }, {}, 'The token can not be read'],
  [{}, { tokn: 't' }, 'has an unknown member "tokn"; known are server, token'],
  [{}, [], 'is not a JSON object'],
])('%j with the file %j is refused', (options, content, message) => {
  writeFileSync(file, JSON.stringify(content));
  expect(() => readConfiguration({ options, environment: {}, file })).toThrow(message);
});

test('a file that was named must exist', () => {
  expect(() => readConfiguration({ options: {}, environment: {}, file: '/missing' })).toThrow(
    'can not be read',
  );
});
