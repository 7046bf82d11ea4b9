import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const offline = fileURLToPath(new URL('./offline.js', import.meta.url));

/** Returns the output of a program that runs offline. */
function outputOf(program: string): string {
  const args = ['--import', offline, '--input-type=module', '--eval', program];
  return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout.trim();
}

test('names do not resolve, except those of this host', () => {
  const program = `import { lookup } from 'node:dns/promises';
    const found = (name) => lookup(name).then(({ address }) => address, ({ code }) => code);
    console.log(await found('example.com'), await found('127.0.0.1'));`;
  expect(outputOf(program)).toBe('ENOTFOUND 127.0.0.1');
});

test.each([
  ['192.0.2.1', 'This process is offline.'],
  ['2001:db8::1', 'This process is offline.'],
  ['127.0.0.1', 'connect ECONNREFUSED 127.0.0.1:1'],
])('a connection to %s ends with: %s', (host, message) => {
  const connects = [`connect({ host: '${host}', port: 1 })`, `connect(1, '${host}')`];
  for (const connect of connects) {
    const program = `import { connect } from 'node:net';
      ${connect}.on('error', ({ message }) => console.log(message));`;
    expect(outputOf(program)).toBe(message);
  }
});
