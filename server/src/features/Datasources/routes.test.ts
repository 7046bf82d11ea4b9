import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start();
  token = await service.token();
});
afterAll(() => service.stop());

const get = (path = '') => service.request('GET', `/api/v2/Datasources${path}`, { token });

describe('GET Datasources', () => {
  test('lists all datasources by name, each as in GET by name', async () => {
    const { status, headers, body } = await get();
    expect([status, Object.keys(body)]).toEqual([200, ['data']]);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const names: string[] = body.data.map(({ name }: { name: string }) => name);
    expect(names).toEqual([...new Set(names)].sort());
    expect(names.length).toBeGreaterThan(2_300);
    for (const name of ['CloudTrailRawEvents', 'LW_HE_MACHINES', 'LW_CFG_AWS_S3', 'LW_CE_IDENTITIES']) {
      expect(body.data[names.indexOf(name)]).toEqual((await get(`/${name}`)).body.data);
    }
  });

  test('is compressed once for all clients, and returns 304 to a client with the current version', async () => {
    const request = (headers: Record<string, string>) =>
      service.request('GET', '/api/v2/Datasources', { token, headers });
    const all: Answer[] = [];
    for (const encoding of ['identity', 'gzip', 'br'])
      all.push(await request({ 'accept-encoding': encoding }));
    expect(all.map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip', 'br']);
    expect(all.every(({ text }) => text === all[0]?.text)).toBe(true);
    const [plain, gzip, brotli] = all.map(({ headers }) => Number(headers.get('content-length')));
    expect(plain).toBeGreaterThan(4_000_000);
    expect([gzip, brotli].every((length) => (length as number) < 200_000)).toBe(true);
    for (const { headers } of all) {
      expect([headers.get('cache-control'), headers.get('vary')]).toEqual([
        'private, no-cache',
        'accept-encoding',
      ]);
      const encoding = headers.get('content-encoding') ?? 'identity';
      const again = await request({
        'accept-encoding': encoding,
        'if-none-match': headers.get('etag') as string,
      });
      expect([again.status, again.text]).toEqual([304, '']);
    }
    const unauthenticated = await service.request('GET', '/api/v2/Datasources', {
      headers: { 'if-none-match': all[0]?.headers.get('etag') as string },
    });
    expect(unauthenticated.status).toBe(401);
  });

  test('returns the same again', async () => {
    expect((await get()).text).toBe((await get()).text);
  });
});

describe('GET Datasources by name', () => {
  test('returns columns with the type names of clients, and no relationships if there are none', async () => {
    const { status, body } = await get('/CloudTrailRawEvents');
    expect(status).toBe(200);
    expect(Object.keys(body.data).sort()).toEqual([
      ...['description', 'name', 'resultSchema', 'sourceRelationships'],
    ]);
    expect(body.data).toMatchObject({ name: 'CloudTrailRawEvents', sourceRelationships: [] });
    const types = body.data.resultSchema.map(({ name, dataType }: Record<string, string>) => [
      name,
      dataType,
    ]);
    expect(types).toEqual([
      ['INSERT_ID', 'Number'],
      ['INSERT_TIME', 'Timestamp'],
      ['EVENT_TIME', 'Timestamp'],
      ['EVENT', 'JSON'],
      ['EVENT_SOURCE', 'String'],
      ['EVENT_NAME', 'String'],
      ['ERROR_CODE', 'String'],
    ]);
    for (const { description } of body.data.resultSchema) expect(description).toMatch(/^[A-Z0-9].*\.$/);
  });

  test('returns the related datasources, but not the join columns', async () => {
    const { body } = await get('/LW_HE_CONTAINERS');
    expect(body.data.sourceRelationships).toEqual([
      {
        name: '(default)',
        description: 'Rows about the same image.',
        from: 'LW_HE_CONTAINERS',
        to: 'LW_HE_IMAGES',
        toCardinality: 'ONE',
      },
      {
        name: '(default)',
        description: 'Rows about the same host.',
        from: 'LW_HE_CONTAINERS',
        to: 'LW_HE_MACHINES',
        toCardinality: 'ONE',
      },
    ]);
  });

  test('states if no collector produces rows yet', async () => {
    const { body } = await get('/LW_CE_IDENTITIES');
    expect(body.data.description).toBe(
      'Users, roles and other cloud identities. Nothing produces rows of it yet.',
    );
  });

  test('returns 404 for an unknown name, with suggestions', async () => {
    const { status, body } = await get('/lw_he_file');
    expect(status).toBe(404);
    expect(body.message).toMatch(/^Not found: datasource 'lw_he_file'\. Did you mean LW_HE_FILES or /);
    const unknown = await get('/%F0%9F%92%A9');
    expect([unknown.status, unknown.body.message]).toEqual([
      404,
      "Not found: datasource '💩'. GET /api/v2/Datasources lists all datasources.",
    ]);
    const long = await get(`/${'x'.repeat(200)}`);
    expect(long.status).toBe(404);
    expect((await get(`/${'x'.repeat(201)}`)).status).toBe(400);
  });
});

test('/schemas describes datasources as they are returned', async () => {
  const { body } = await service.request('GET', '/api/v2/schemas/Datasources', { token });
  const { data } = (await get('/LW_HE_FILES')).body;
  expect(Object.keys(body.properties)).toEqual(Object.keys(data));
});
