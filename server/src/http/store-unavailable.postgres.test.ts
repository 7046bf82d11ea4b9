import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KeyFile, readKeyFile } from '../identity/bootstrap.ts';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { ServerProcess } from '../testing/process.ts';
import { SeveredLine } from '../testing/severed-line.ts';

/** What answers without the control store. A new entry here is a decision, not an accident. */
const independent = [
  ...['GET /healthz', 'GET /api/v2/docs', 'GET /api/v2/docs/reference.js', 'GET /api/v2/openapi.json'],
  ...['GET /api/v2/docs/reference.css', 'GET /favicon.svg'],
];
/** The same where the sample asks for what is not there. */
const missing = ['GET /', 'GET /api/v2/docs/operations/{operationId}'];

let place: TestPlace;
let line: SeveredLine;
let server: ServerProcess;
let url: string;
let key: KeyFile;

async function ask(name: string, authorization = '', body?: unknown) {
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
const signIn = () => ask('POST /api/v2/access/tokens', '', { keyId: key.keyId });
const jobsThat = (what: string) =>
  server.output
    .split('\n')
    .filter((entry) => entry.includes(`"msg":"a periodic job ${what}"`))
    .map((entry) => JSON.parse(entry) as { job: string; error?: string; cause?: string });

describe('while PostgreSQL is away', () => {
  let token: string;
  let agent: string;

  beforeAll(async () => {
    place = await createTestPlace();
    line = await SeveredLine.to(place.controlUrl);
    server = await ServerProcess.ready(place, {
      environment: { VEDETTE_CONTROL_URL: line.url, VEDETTE_RATE_LIMIT: '1000000' },
    });
    url = await server.url();
    key = readKeyFile(join(place.directory, 'api-key.json')) as KeyFile;
    token = (await signIn()).body.token;
    const made = await ask('POST /api/v2/AgentAccessTokens', token, { tokenAlias: 'a', tokenEnabled: 1 });
    agent = made.body.data.accessToken;
  });
  afterAll(async () => {
    await server?.kill();
    await line?.cut();
    await place?.remove();
  });

  test('every operation answers 503 with Retry-After, and each comes back by itself', async () => {
    const { paths } = (await ask('GET /api/v2/openapi.json')).body as {
      paths: Record<string, Record<string, { security: Record<string, unknown>[] }>>;
    };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => ({
        name: `${method.toUpperCase()} ${path}`,
        call: `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'sample')}`,
        authorization: security[0] && 'agentToken' in security[0] ? agent : token,
        // Public operations check the body before they ask the store whose credential it is.
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
      const answer = await ask(call, authorization, body);
      if (independent.includes(name)) expect([name, answer.status]).toEqual([name, 200]);
      else if (missing.includes(name)) expect([name, answer.status]).toEqual([name, 404]);
      else expect([name, answer]).toEqual([name, unavailable]);
    }
    expect((await ask('GET /api/v2/no-such-path')).status).toBe(404);
    expect((await signIn()).body.message).toBe(
      'The control store can not be reached or is overloaded: try again in a few seconds.',
    );

    await line.join();
    await expect.poll(async () => (await signIn()).status).toBe(201);
    expect((await ask('GET /readyz')).status).toBe(200);
    for (const { name, call, authorization, body } of operations)
      expect([name, (await ask(call, authorization, body)).status]).not.toEqual([name, 503]);
    expect(server.output).not.toContain('"msg":"request failed"');
  }, 120_000);

  test('a periodic job that fails is logged once with its cause, and once more when it succeeds again', async () => {
    const [before, succeeded] = [jobsThat('failed').length, jobsThat('succeeds again').length];
    await line.cut();
    await expect
      .poll(() =>
        jobsThat('failed')
          .slice(before)
          .map(({ job }) => job),
      )
      .toEqual(expect.arrayContaining(['outbox', 'evaluations', 'exports']));
    // Each asks the store, as the jobs do, so that these have had many turns.
    for (let round = 0; round < 300; round++) expect((await ask('GET /readyz')).status).toBe(503);
    const failed = jobsThat('failed').slice(before);
    expect(new Set(failed.map(({ job }) => job)).size).toBe(failed.length);
    for (const { error, cause } of failed)
      expect([error, cause]).toEqual([expect.stringContaining('can not be reached'), expect.any(String)]);
    await line.join();
    await expect
      .poll(() =>
        jobsThat('succeeds again')
          .slice(succeeded)
          .map(({ job }) => job),
      )
      .toEqual(expect.arrayContaining(['outbox', 'evaluations', 'exports']));
  });

  test('connections that the database ends while they are used are replaced, and no request fails for it', async () => {
    const database = new pg.Client({ connectionString: place.controlUrl });
    await database.connect();
    const end = () =>
      database.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    const calls = [
      () => ask('POST /api/v2/AuditLogs/search', token, {}),
      () => ask('POST /api/v2/Policies/search', token, {}),
      () => ask('GET /api/v2/AlertChannels', token),
      () => ask('POST /ingest/v1/Activities/DNSs', agent, []),
      signIn,
    ];
    const statuses = new Set<number>();
    for (let round = 0; round < 20; round++) {
      const answers = Promise.all(Array.from({ length: 20 }, (_, n) => calls[n % calls.length]?.()));
      await end();
      for (const answer of await answers) statuses.add(answer?.status ?? 0);
    }
    await database.end();
    for (const status of statuses) expect([200, 201, 400, 503]).toContain(status);
    await expect.poll(async () => (await signIn()).status).toBe(201);
    expect(server.output).not.toContain('"msg":"request failed"');
  });

  test('a network that swallows everything makes it not ready, and it recovers', async () => {
    line.hush();
    expect(await ask('GET /readyz')).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    await line.cut();
    await line.join();
    await expect.poll(async () => (await ask('GET /readyz')).status).toBe(200);
    await expect.poll(async () => (await signIn()).status).toBe(201);
  });

  test('a second server does not start, and says in one line what to check', async () => {
    await line.cut();
    const another = await createTestPlace();
    const second = new ServerProcess(another, {
      environment: { VEDETTE_CONTROL_URL: line.url },
    });
    expect(await second.ended).toBe(1);
    expect(second.stderr).toMatch(
      /^The control store can not be reached \(connect ECONNREFUSED [\d.:]+\): start PostgreSQL, or check VEDETTE_CONTROL_URL\.\n$/,
    );
    await another.remove();
    await line.join();
  });

  test('the server ends as it is told, and so it does after all of this', async () => {
    await expect.poll(async () => (await signIn()).status).toBe(201);
    await line.cut();
    expect(await server.kill('SIGTERM')).toBe(0);
  });
});
