import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { authorityFile, selfSignedTls } from '../platform/tls.ts';

test('the guarded client trusts the authorities of NODE_EXTRA_CA_CERTS', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-authority-'));
  const receiver = createServer(await selfSignedTls(directory, [], Date.now()), (_, response) => {
    response.end('received');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  // Node reads the variable at its start.
  const program = `import { GuardedOutbound } from '${new URL('./guarded-outbound.js', import.meta.url)}';
    const client = new GuardedOutbound({ allowsPrivate: true });
    const answered = client.request({ method: 'POST', url: 'https://127.0.0.1:${port}/' });
    console.log(await answered.then(({ text }) => text, ({ message }) => message));`;
  const send = async (environment: NodeJS.ProcessEnv) => {
    const words = ['--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, words, {
      env: { PATH: process.env.PATH, ...environment },
    });
    return stdout.trim();
  };
  expect(await send({})).toMatch(
    /^The request to 127\.0\.0\.1:\d+ failed \(\w*(?:SIGNATURE|ISSUER|SELF_SIGNED)\w*\)/,
  );
  expect(await send({ NODE_EXTRA_CA_CERTS: authorityFile(directory) })).toBe('received');
  receiver.close();
  rmSync(directory, { recursive: true });
});
