import { join } from 'node:path';
import { authorityFile, selfSignedTls } from '@vedette/server/platform/tls';
import { createTestPlace, type TestPlace } from '@vedette/server/testing/database';
import { ServerProcess } from '@vedette/server/testing/process';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Program } from './program.sample.ts';

// Each command is a separate process, and some tests run several of them.
vi.setConfig({ testTimeout: 300_000 });

let installation: TestPlace;
let otherInstallation: TestPlace;
let server: ServerProcess;
let url: string;
beforeAll(async () => {
  installation = await createTestPlace();
  otherInstallation = await createTestPlace();
  server = new ServerProcess(installation, { environment: { VEDETTE_TLS: 'self' } });
  url = await server.url();
});
afterAll(async () => {
  await server.kill('SIGTERM');
  await installation.remove();
  await otherInstallation.remove();
});

const queryText = '{ source { CloudTrailRawEvents } return { INSERT_ID } }';
/** Commands that connect to the server by URL. */
const commands = () =>
  [
    {
      words: ['query', queryText, '--url', url, '--key', join(installation.directory, 'api-key.json')],
      reached: 'No rows',
    },
    {
      words: [...'simulate --hosts 1 --days 1 --seed 1 --token _unknown --url'.split(' '), url],
      reached: 'The server rejected',
    },
  ] as const;
async function outcomes(at: TestPlace, environment: NodeJS.ProcessEnv = {}) {
  const runs = commands().map(async ({ words, reached }) => {
    const { stdout, stderr } = await new Program(at).run(words, environment);
    return (stdout + stderr).includes(reached) ? 'reached' : stderr;
  });
  return Promise.all(runs);
}
const untrusted = expect.stringMatching(/^The certificate of https:\S+ is not trusted .*NODE_EXTRA_CA_CERTS/);

describe('a self-signed certificate of the server', () => {
  test('is trusted with access to its data directory', async () => {
    expect(await outcomes(installation)).toEqual(['reached', 'reached']);
  });

  test('is otherwise trusted only with NODE_EXTRA_CA_CERTS, also in addition to another authority', async () => {
    const withExtraAuthority = { NODE_EXTRA_CA_CERTS: authorityFile(installation.directory) };
    expect(await outcomes(otherInstallation)).toEqual([untrusted, untrusted]);
    expect(await outcomes(otherInstallation, withExtraAuthority)).toEqual(['reached', 'reached']);
    await selfSignedTls(otherInstallation.directory, [], Date.now());
    expect(await outcomes(otherInstallation)).toEqual([untrusted, untrusted]);
    expect(await outcomes(otherInstallation, withExtraAuthority)).toEqual(['reached', 'reached']);
  });
});
