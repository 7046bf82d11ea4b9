import { join } from 'node:path';
import { authorityFile, selfMadeTls } from '@vedette/server/platform/tls';
import { createTestPlace, type TestPlace } from '@vedette/server/testing/database';
import { ServerProcess } from '@vedette/server/testing/process';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Program } from './program.sample.ts';

// Each command is a process of its own, and some tests run several of them.
vi.setConfig({ testTimeout: 300_000 });

let place: TestPlace;
let elsewhere: TestPlace;
let server: ServerProcess;
let url: string;
beforeAll(async () => {
  place = await createTestPlace();
  elsewhere = await createTestPlace();
  server = new ServerProcess(place, { environment: { VEDETTE_TLS: 'self' } });
  url = await server.url();
});
afterAll(async () => {
  await server.kill('SIGTERM');
  await place.remove();
  await elsewhere.remove();
});

const text = '{ source { CloudTrailRawEvents } return { INSERT_ID } }';
/** Commands that talk to the server over its address, as they are run anywhere. */
const commands = () =>
  [
    {
      words: ['query', text, '--url', url, '--key', join(place.directory, 'api-key.json')],
      reached: 'No row',
    },
    {
      words: [...'simulate --hosts 1 --days 1 --seed 1 --token _unknown --url'.split(' '), url],
      reached: 'The server refused',
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

describe('a certificate that the server made itself', () => {
  test('is trusted beside its data directory', async () => {
    expect(await outcomes(place)).toEqual(['reached', 'reached']);
  });

  test('is trusted elsewhere with NODE_EXTRA_CA_CERTS only, also beside another authority', async () => {
    const further = { NODE_EXTRA_CA_CERTS: authorityFile(place.directory) };
    expect(await outcomes(elsewhere)).toEqual([untrusted, untrusted]);
    expect(await outcomes(elsewhere, further)).toEqual(['reached', 'reached']);
    await selfMadeTls(elsewhere.directory, [], Date.now());
    expect(await outcomes(elsewhere)).toEqual([untrusted, untrusted]);
    expect(await outcomes(elsewhere, further)).toEqual(['reached', 'reached']);
  });
});
