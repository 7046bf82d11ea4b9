import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const offline = fileURLToPath(new URL('./offline.js', import.meta.url));

/** What a program prints that was started offline. */
function printed(program: string): string {
  const given = ['--import', offline, '--input-type=module', '--eval', program];
  return spawnSync(process.execPath, given, { encoding: 'utf8' }).stdout.trim();
}

test('no name has an address, but those of this host do', () => {
  const program = `import { lookup } from 'node:dns/promises';
    const found = (name) => lookup(name).then(({ address }) => address, ({ code }) => code);
    console.log(await found('example.com'), await found('127.0.0.1'));`;
  expect(printed(program)).toBe('ENOTFOUND 127.0.0.1');
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
    expect(printed(program)).toBe(message);
  }
});
