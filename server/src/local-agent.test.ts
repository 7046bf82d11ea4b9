import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { KeyFile } from './identity/bootstrap.ts';
import { createTestPlace, type TestPlace } from './testing/database.ts';
import { ServerProcess } from './testing/process.ts';

vi.setConfig({ testTimeout: 300_000 });
const patience = { timeout: 240_000, interval: 200 };

let place: TestPlace;
let servers: ServerProcess[];
beforeEach(async () => {
  place = await createTestPlace();
  servers = [];
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await place.remove();
});

async function start(environment: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const server = await ServerProcess.ready(place, { environment });
  servers.push(server);
  return server;
}

/** The processes that the server has started. */
function childrenOf({ pid }: ServerProcess): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

const isAlive = (pid: number) => parentOf(`${pid}`) !== undefined;

async function searcher(server: ServerProcess) {
  const url = await server.url();
  const { keyId, secret } = JSON.parse(
    readFileSync(join(place.directory, 'api-key.json'), 'utf8'),
  ) as KeyFile;
  const post = async (path: string, headers: Record<string, string>, body: unknown) => {
    const answer = await fetch(`${url}/api/v2/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return answer.status === 204 ? { data: [] } : answer.json();
  };
  const { token } = (await post('access/tokens', { 'x-lw-uaks': secret }, { keyId })) as { token: string };
  return async (dataset: string) => {
    const answer = await post(`${dataset}/search`, { authorization: `Bearer ${token}` }, {});
    return (answer as { data: Record<string, unknown>[] }).data;
  };
}

if (process.platform === 'linux') {
  test('reports this host, is started again, and ends with the server', async () => {
    const server = await start({ VEDETTE_LOCAL_AGENT: 'on', VEDETTE_AGENT_TAGS: 'Env=test' });
    expect(server.output).toContain('This host  reported by its own agent');
    const search = await searcher(server);
    const [agent] = await vi.waitFor(async () => {
      const found = await search('AgentInfo');
      expect(found).toHaveLength(1);
      return found;
    }, patience);
    expect(agent).toMatchObject({ status: 'ACTIVE', tags: { Env: 'test' } });
    const own = await search('Entities/Processes');
    expect(own.find(({ pid }) => pid === server.pid)).toMatchObject({ mid: agent?.mid });
    const datasets = [
      'Entities/Machines',
      'Entities/Packages',
      'Entities/Users',
      'Entities/NetworkInterfaces',
    ];
    for (const dataset of datasets) expect(await search(dataset), dataset).not.toHaveLength(0);

    const [first = 0] = childrenOf(server);
    process.kill(first, 'SIGKILL');
    await server.says(/"retryAfter":1000,"msg":"the agent of this host ended"/);
    const second = await vi.waitFor(() => {
      const [child] = childrenOf(server);
      expect(child).toBeDefined();
      return child as number;
    }, patience);
    expect(second).not.toBe(first);

    // Without a chance to tell the agent.
    await server.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(second)).toBe(false), patience);
  });

  test('stops before the server does', async () => {
    const server = await start({ VEDETTE_LOCAL_AGENT: 'on' });
    await server.says(/reports this host as machine/);
    const [child = 0] = childrenOf(server);
    expect(await server.kill('SIGTERM')).toBe(0);
    expect(isAlive(child)).toBe(false);
  });
}

test('is not started if it is turned off', async () => {
  const server = await start({ VEDETTE_LOCAL_AGENT: 'off' });
  expect(server.output).toContain('This host  not reported (VEDETTE_LOCAL_AGENT=off)');
  expect(await (await searcher(server))('AgentInfo')).toEqual([]);
  if (process.platform === 'linux') expect(childrenOf(server)).toEqual([]);
});
