import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KeyFile, readKeyFile } from '../identity/bootstrap.ts';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { ServerProcess } from '../testing/process.ts';
import { TcpProxy } from '../testing/tcp-proxy.ts';

/** Operations that succeed without the control store. A new entry needs a decision. */
const independent = [
  ...['GET /healthz', 'GET /api/v2/docs', 'GET /api/v2/docs/reference.js', 'GET /api/v2/openapi.json'],
  ...['GET /api/v2/docs/reference.css', 'GET /favicon.svg'],
];
/** Operations that answer 404 without the control store, because the sample path does not exist. */
const missing = ['GET /api/v2/docs/operations/{operationId}'];

let place: TestPlace;
let line: TcpProxy;
let server: ServerProcess;
let url: string;
let key: KeyFile;

async function send(name: string, authorization = '', body?: unknown) {
  const [method = '', path = ''] = name.split(' ');
  const reply = await fetch(url + path, {
    method,
    headers: { authorization, 'content-type': 'application/json', 'x-lw-uaks': key.secret },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  const isJson = reply.headers.get('content-type')?.startsWith('application/json');
  return {
    status: reply.status,
    retryAfter: reply.headers.get('retry-after'),
    body: isJson ? JSON.parse(text) : text,
  };
}
const signIn = () => send('POST /api/v2/access/tokens', '', { keyId: key.keyId });
const jobsLogged = (event: string) =>
  server.output
    .split('\n')
    .filter((line) => line.includes(`"msg":"a periodic job ${event}"`))
    .map((line) => JSON.parse(line) as { job: string; error?: string; cause?: string });

describe('while PostgreSQL is unavailable', () => {
  let token: string;
  let agent: string;

  beforeAll(async () => {
    place = await createTestPlace();
    line = await TcpProxy.to(place.controlUrl);
    server = await ServerProcess.ready(place, {
      environment: { VEDETTE_CONTROL_URL: line.url, VEDETTE_RATE_LIMIT: '1000000' },
    });
    url = await server.url();
    key = readKeyFile(join(place.directory, 'api-key.json')) as KeyFile;
    token = (await signIn()).body.token;
    const created = await send('POST /api/v2/AgentAccessTokens', token, { tokenAlias: 'a', tokenEnabled: 1 });
    agent = created.body.data.accessToken;
  });
  afterAll(async () => {
    await server?.kill();
    await line?.cut();
    await place?.remove();
  });

  test('every operation answers 503 with Retry-After, and recovers without a restart', async () => {
    const { paths } = (await send('GET /api/v2/openapi.json')).body as {
      paths: Record<string, Record<string, { security: Record<string, unknown>[] }>>;
    };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => ({
        name: `${method.toUpperCase()} ${path}`,
        call: `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'sample')}`,
        authorization: security[0] && 'agentToken' in security[0] ? agent : token,
        // Public operations validate the body before they look up the credential in the store.
        body: method === 'get' ? undefined : security[0] ? {} : { keyId: key.keyId, ok: true, message: '' },
      })),
    );
    expect(operations.length).toBeGreaterThan(100);
    await line.cut();
    const unavailable = {
      status: 503,
      retryAfter: '5',
      body: { code: 'UNAVAILABLE', message: expect.any(String), requestId: expect.any(String) },
    };
    for (const { name, call, authorization, body } of operations) {
      const response = await send(call, authorization, body);
      if (independent.includes(name)) expect([name, response.status]).toEqual([name, 200]);
      else if (missing.includes(name)) expect([name, response.status]).toEqual([name, 404]);
      else expect([name, response]).toEqual([name, unavailable]);
    }
    expect((await send('GET /api/v2/no-such-path')).status).toBe(404);
    expect((await signIn()).body.message).toBe(
      'The control store can not be reached or is overloaded: try again in a few seconds.',
    );

    await line.join();
    await expect.poll(async () => (await signIn()).status).toBe(201);
    expect((await send('GET /readyz')).status).toBe(200);
    for (const { name, call, authorization, body } of operations)
      expect([name, (await send(call, authorization, body)).status]).not.toEqual([name, 503]);
    expect(server.output).not.toContain('"msg":"request failed"');
  }, 120_000);

  test('a periodic job that fails is logged once with its cause, and once more when it succeeds again', async () => {
    const [failedBefore, recoveredBefore] = [
      jobsLogged('failed').length,
      jobsLogged('succeeds again').length,
    ];
    await line.cut();
    await expect
      .poll(() =>
        jobsLogged('failed')
          .slice(failedBefore)
          .map(({ job }) => job),
      )
      .toEqual(expect.arrayContaining(['outbox', 'evaluations', 'exports']));
    // Each request queries the store, as the jobs do, so the jobs run many times meanwhile.
    for (let round = 0; round < 300; round++) expect((await send('GET /readyz')).status).toBe(503);
    const failed = jobsLogged('failed').slice(failedBefore);
    expect(new Set(failed.map(({ job }) => job)).size).toBe(failed.length);
    for (const { error, cause } of failed)
      expect([error, cause]).toEqual([expect.stringContaining('can not be reached'), expect.any(String)]);
    await line.join();
    await expect
      .poll(() =>
        jobsLogged('succeeds again')
          .slice(recoveredBefore)
          .map(({ job }) => job),
      )
      .toEqual(expect.arrayContaining(['outbox', 'evaluations', 'exports']));
  });

  test('connections that the database terminates while in use are replaced, and no request is an internal error', async () => {
    const database = new pg.Client({ connectionString: place.controlUrl });
    await database.connect();
    const terminateConnections = () =>
      database.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    const calls = [
      () => send('POST /api/v2/AuditLogs/search', token, {}),
      () => send('POST /api/v2/Policies/search', token, {}),
      () => send('GET /api/v2/AlertChannels', token),
      () => send('POST /ingest/v1/Activities/DNSs', agent, []),
      signIn,
    ];
    const statuses = new Set<number>();
    for (let round = 0; round < 20; round++) {
      const responses = Promise.all(Array.from({ length: 20 }, (_, n) => calls[n % calls.length]?.()));
      await terminateConnections();
      for (const response of await responses) statuses.add(response?.status ?? 0);
    }
    await database.end();
    for (const status of statuses) expect([200, 201, 400, 503]).toContain(status);
    await expect.poll(async () => (await signIn()).status).toBe(201);
    expect(server.output).not.toContain('"msg":"request failed"');
  });

  test('a network that drops all packets makes the service not ready until it recovers', async () => {
    line.hush();
    expect(await send('GET /readyz')).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    await line.cut();
    await line.join();
    await expect.poll(async () => (await send('GET /readyz')).status).toBe(200);
    await expect.poll(async () => (await signIn()).status).toBe(201);
  });

  test('a second server does not start, and reports in one line what to check', async () => {
    await line.cut();
    const otherPlace = await createTestPlace();
    const second = new ServerProcess(otherPlace, {
      environment: { VEDETTE_CONTROL_URL: line.url },
    });
    expect(await second.ended).toBe(1);
    expect(second.stderr).toMatch(
      /^The control store can not be reached \(connect ECONNREFUSED [\d.:]+\): start PostgreSQL, or check VEDETTE_CONTROL_URL\.\n$/,
    );
    await otherPlace.remove();
    await line.join();
  });

  test('the server still shuts down on SIGTERM', async () => {
    await expect.poll(async () => (await signIn()).status).toBe(201);
    await line.cut();
    expect(await server.kill('SIGTERM')).toBe(0);
  });
});
