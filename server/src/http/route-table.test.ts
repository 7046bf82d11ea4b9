import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sampleAlerts, sampleFinding } from '../alerts/alerts.sample.ts';
import { builtInGuid } from '../reports/definitions/built-in-definitions.ts';
import { type Answer, type RequestOptions, TestService } from '../testing/service.ts';
import { bodySchema } from './operation.ts';
import type { Declaration } from './route.ts';

// Each test calls every operation.
vi.setConfig({ testTimeout: 600_000 });

/** Operations that need no token. A new entry needs a decision. */
const publicOperations = [
  'GET /api/v2/docs',
  'GET /api/v2/docs/operations/{operationId}',
  'GET /api/v2/docs/reference.css',
  'GET /api/v2/docs/reference.js',
  'GET /api/v2/openapi.json',
  'GET /favicon.svg',
  'GET /healthz',
  'GET /metrics',
  'GET /readyz',
  'POST /api/v2/access/tokens',
  // Authenticated with the server token of an integration, which belongs to no user.
  'POST /api/v2/dspm/status',
  // The sign-ins of the console.
  'POST /session/link',
  'POST /session/password',
];

type Credential = Pick<RequestOptions, 'token' | 'session'>;

/** Bodies that cannot be derived from the schema; `channel` is an alert channel of the caller. */
const bodies: Readonly<Record<string, (channel: string, caller: Credential) => unknown>> = {
  'POST /api/v2/AlertProfiles': () => ({
    ...{ alertProfileId: randomUUID(), extends: 'LW_HE_FILES_DEFAULT_PROFILE', alerts: [] },
  }),
  'POST /api/v2/AlertRules': (channel) => ruleTo(channel, 'Event'),
  'POST /api/v2/Alerts/{alertId}/close': () => ({ reason: 1 }),
  'POST /api/v2/Inventory/search': () => ({ csp: 'AWS' }),
  'POST /api/v2/ContainerRegistries': () => ({
    ...{ name: 'Inline', type: 'ContVulnCfg', enabled: 1 },
    data: { registryType: 'INLINE_SCANNER' },
  }),
  'POST /api/v2/DataExportRules': (channel) => ruleTo(channel, 'Dataexport'),
  'PUT /api/v2/DataExportRules/{mcGuid}': (channel) => ruleTo(channel, 'Dataexport'),
  'PATCH /api/v2/Policies': () => [{ policyId: 'lacework-global-1', enabled: true }],
  'POST /api/v2/Exceptions': () => ({
    constraints: [{ fieldKey: 'accountIds', fieldValues: ['123456789012'] }],
  }),
  'POST /api/v2/Policies': () => ({
    ...{ queryId: 'LW_Global_AWS_CTA_AccessKeyDeleted', title: 'Sample', description: '', remediation: '' },
    ...{ severity: 'low', enabled: false, alertEnabled: false },
  }),
  'POST /api/v2/Queries': () => ({ queryId: `Q_${randomUUID()}`, queryText }),
  'POST /api/v2/Queries/execute': () => ({ query: { queryText } }),
  'POST /api/v2/Queries/validate': () => ({ queryText }),
  // Names must be unique.
  'POST /api/v2/ReportDefinitions': () => ({
    ...{ reportName: randomUUID(), reportType: 'COMPLIANCE', subReportType: 'AWS' },
    reportDefinition: { sections: [{ title: 'Sample', policies: ['lacework-global-1'] }] },
  }),
  'POST /api/v2/ReportDistributions': (channel) => ({
    ...{ reportDefinitionGuid: builtInGuid('AWS_CIS_14'), distributionName: 'Sample', frequency: 'daily' },
    alertChannels: [channel],
  }),
  'POST /api/v2/ReportRules': (channel) => ({ ...ruleTo(channel, 'Report'), reportNotificationTypes: {} }),
  'POST /api/v2/ResourceGroups': () => ({
    resourceName: 'sample',
    resourceType: 'AWS',
    props: { accountIds: ['1'] },
  }),
  // User names are unique across accounts.
  'POST /api/v2/TeamMembers': () => ({ userName: `${randomUUID()}@example.com` }),
  'POST /api/v2/TeamUsers': () => ({ name: 'Sample', email: `${randomUUID()}@example.com` }),
  'PATCH /api/v2/migrateGcpAtSes': async (_, caller) => ({
    data: {
      intgGuid: await auditTrailOf(caller),
      props: { migrate: true, migrationTimestamp: '2026-03-01T12:00:00Z' },
    },
  }),
  // The alias must be unique, and only enabled tokens are listed.
  'POST /api/v2/AgentAccessTokens': () => ({ tokenAlias: randomUUID(), tokenEnabled: 1 }),
};

const queryText = '{ source { CloudTrailRawEvents } return { INSERT_ID } }';

const ruleTo = (channel: string, type: string) => ({
  type,
  filters: { name: 'Sample' },
  intgGuidList: [channel],
});

/** The id member of a record, where it differs from the name of the path parameter. */
const idMembers: Readonly<Record<string, string>> = { '/api/v2/AgentAccessTokens': 'accessToken' };

/** By path: query parameters of which one of several is required. */
const eitherParameters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/api/v2/Reports': { reportType: 'AWS_CIS_14', primaryQueryId: '123456789012', format: 'json' },
};

/** Values of required query parameters. */
const queryParameters: Readonly<Record<string, string>> = {
  policyId: 'lacework-global-34',
  scope: 'Details',
  csp: 'AWS',
  urn: 'arn:aws:s3:::sample',
};

/** Records that only the service creates, by collection path: creates one in an account and returns its id. */
const generated: Readonly<Record<string, (ownerId: string) => Promise<number>>> = {
  '/api/v2/Alerts': async (ownerId) => {
    const { store, clock } = service;
    const alerts = sampleAlerts(store, clock);
    const finding = sampleFinding(ownerId, clock.now());
    return (await store.housekeeping((tx) => alerts.raise(tx, finding))).alertId;
  },
};

let service: TestService;
let operations: Declaration[];
/** The callers of the tests, each with a token and with a session. */
const callers = ['expired', 'revoked', 'demoted', 'reader', 'alice', 'bob'] as const;
type CallerName = (typeof callers)[number];
const ways = ['token', 'session'] as const;
type Way = (typeof ways)[number];
const credentials = {} as Record<Way, Record<CallerName, Credential>>;

beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: '100000' });
  operations = service.routes.map(({ declaration }) => declaration);
  await service.accounts.create('aldera');
  await service.accounts.create('beta');
  await service.accounts.create('gamma');
  const expired = { token: { token: await service.token() }, session: { session: await service.signIn() } };
  service.clock.advance(12 * 3_600_000);
  const revoked = await service.member('revoked@example.com', 'orgAdmin');
  const members = {
    demoted: await service.member('demoted@example.com', 'accountAdmin', 'aldera'),
    reader: await service.member('reader@example.com', 'orgUser'),
    alice: await service.member('alice@example.com', 'accountAdmin', 'aldera'),
  };
  // Each in an account of their own, because some records can be created once only.
  const owners = { token: 'bob', session: 'bill' } as const;
  const bob = await service.member('bob@example.com', 'accountAdmin', 'beta');
  await service.users.grant('bill@example.com', 'accountAdmin', 'gamma');
  for (const way of ways) {
    const signIn = async (name: string, key: { keyId: string; secret: string }): Promise<Credential> =>
      way === 'token'
        ? { token: await service.token(key) }
        : { session: await service.signIn(`${name}@example.com`) };
    const entries = Object.entries(members).map(async ([name, key]) => [name, await signIn(name, key)]);
    credentials[way] = {
      ...Object.fromEntries(await Promise.all(entries)),
      expired: expired[way],
      bob: await signIn(owners[way], bob),
      revoked: await signIn('revoked', revoked),
    };
  }
  await service.users.grant('demoted@example.com', 'accountUser', 'aldera');
  await service.keys.disable(revoked.keyId);
  await service.request('DELETE', '/session', credentials.session.revoked);
});
afterAll(() => service.stop());

const nameOf = ({ method, path }: Declaration) => `${method} ${path}`;
const guarded = () => operations.filter(({ access }) => access !== 'public');
/** Agent tokens have no role and belong to a single account, and sessions of the console to a single user. */
const forUsers = () => guarded().filter(({ access }) => access !== 'agent' && access !== 'session');
/** Search pages are tested in features/datasets. */
const isPage = ({ path }: Declaration) => path.endsWith('/{page}');
const call = async (declaration: Declaration, caller: Credential = {}, path = samplePath(declaration)) =>
  service.request(declaration.method, path, { ...caller, body: await sampleBody(declaration, caller) });
/** The first administrator, with a session where the operation needs one. */
const administrator = async ({ isPrivate }: Declaration, token: string): Promise<RequestOptions> =>
  isPrivate ? { session: await service.signIn(), headers: { origin: service.url } } : { token };

function expectRefusal(response: Answer, status: number, name: string): void {
  expect(response.status, name).toBe(status);
  expect(response.headers.get('content-type'), name).toContain('application/json');
  expect(typeof response.body.message, name).toBe('string');
  expect(response.body, name).not.toHaveProperty('data');
  expectRateHeaders(response, name);
  expectSecurityHeaders(response, name);
}

/** Only responses that are identical for all clients may be cached. */
function expectSecurityHeaders({ headers }: Answer, name: string, isShared = false): void {
  expect(headers.get('x-content-type-options'), name).toBe('nosniff');
  expect(headers.get('referrer-policy'), name).toBe('no-referrer');
  if (isShared) expect(headers.get('cache-control'), name).toMatch(/^(?:no-cache|public, max-age=\d+)$/);
  else expect(headers.get('cache-control'), name).toBe('no-store');
  expect(headers.get('strict-transport-security'), name).toBeNull();
}

function expectRateHeaders({ headers }: Answer, name: string): void {
  for (const header of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']) {
    expect(headers.get(header), `${name} ${header}`).toMatch(/^\d+$/);
  }
}

describe('every operation', () => {
  test('needs a token, except those listed as public', () => {
    const open = operations.filter(({ access }) => access === 'public').map(nameOf);
    expect(open.sort()).toEqual([...publicOperations].sort());
    expect(guarded().length).toBeGreaterThan(0);
  });

  test.each(ways)('rejects no, a garbage, an expired and a revoked %s with 401', async (way) => {
    const { expired, revoked } = credentials[way];
    for (const caller of [{}, { [way]: 'garbage' }, expired, revoked]) {
      for (const declaration of guarded()) {
        expectRefusal(await call(declaration, caller), 401, nameOf(declaration));
      }
    }
  });

  test.each(ways)('rejects an insufficient role of a %s with 403, unless any role is enough', async (way) => {
    const { demoted, reader } = credentials[way];
    for (const declaration of forUsers()) {
      const name = nameOf(declaration);
      const low = await call(declaration, demoted);
      // Account users have no access with a token, and read-only access in the console.
      const isReadable = way === 'session' && declaration.access === 'read';
      if (declaration.access === 'any') expect(low.status, name).toBeLessThan(300);
      else if (isReadable) expect(low.status, name).not.toBe(403);
      else expectRefusal(low, 403, name);
      const read = await call(declaration, reader);
      if (declaration.access === 'write') expectRefusal(read, 403, name);
      else expect(read.status, name).not.toBe(403);
    }
  });

  test.each(ways)(
    'rejects an inaccessible account of a %s, and organization access, with 403',
    async (way) => {
      const { bob, demoted } = credentials[way];
      for (const declaration of forUsers().filter(({ access }) => access !== 'any')) {
        const name = nameOf(declaration);
        const body = await sampleBody(declaration, bob);
        const send = (headers: Record<string, string>, caller = bob) =>
          service.request(declaration.method, samplePath(declaration), { ...caller, body, headers });
        for (const account of ['aldera', 'ALDERA', 'nowhere']) {
          const foreign = await send({ 'Account-Name': account });
          expectRefusal(foreign, 403, name);
          expect(foreign.body.message, name).toContain('Invalid Account');
        }
        expectRefusal(await send({ 'Account-Name': 'beta' }, demoted), 403, name);
        const organization = await send({ 'Org-Access': 'TRUE' });
        if (declaration.org) expectRefusal(organization, 403, name);
        else expect(organization.status, name).not.toBe(403);
      }
    },
  );

  test.each(ways)('returns nothing of other accounts to a %s: 404 for their ids', async (way) => {
    const { alice, bob } = credentials[way];
    const canaries = ['alice', 'aldera', (await profileOf(alice)).accounts[0].custGuid];
    for (const declaration of forUsers().filter(({ isCatalogue }) => !isCatalogue)) {
      const name = nameOf(declaration);
      if (isPage(declaration)) continue;
      if (declaration.params) {
        expectRefusal(await call(declaration, bob, await foreignPath(declaration, alice)), 404, name);
        continue;
      }
      const response = await call(declaration, bob);
      expect(response.status, name).toBeLessThan(300);
      expectRateHeaders(response, name);
      expectSecurityHeaders(response, name);
      for (const canary of canaries)
        expect(response.text.toLowerCase(), name).not.toContain(canary.toLowerCase());
    }
  });

  test('rejects a body that is nested too deep with 400', async () => {
    const token = await service.token();
    const withBody = operations.filter((operation) => bodySchema(operation) !== undefined);
    expect(withBody.length).toBeGreaterThan(50);
    for (const declaration of withBody) {
      const caller = await administrator(declaration, token);
      const sample = JSON.stringify((await sampleBody(declaration, caller)) ?? {});
      const body = `{"x":${'['.repeat(5000)}${']'.repeat(5000)}${sample.replace(/^\{(?=.)/, ',').replace(',}', '}')}`;
      const request = { ...caller, body };
      const response = await service.request(declaration.method, samplePath(declaration), request);
      expectRefusal(response, 400, nameOf(declaration));
      expect(response.body.message).toBe('The body is nested more than 100 levels deep: flatten it.');
    }
  });

  test('allows caching only of responses that are identical for all clients', async () => {
    const shared = [
      ...['/api/v2/docs', '/api/v2/docs/reference.js', '/api/v2/docs/reference.css'],
      ...['/favicon.svg', '/api/v2/openapi.json'],
    ];
    for (const declaration of operations.filter(({ access }) => access === 'public')) {
      const response = await call(declaration);
      expectSecurityHeaders(response, nameOf(declaration), shared.includes(declaration.path));
    }
    const { keyId, secret } = service.firstKey;
    const headers = { 'X-LW-UAKS': secret };
    const signedIn = await service.request('POST', '/api/v2/access/tokens', { headers, body: { keyId } });
    expect(signedIn.status).toBe(201);
    expectSecurityHeaders(signedIn, 'a token');
  });

  test('never answers 5xx to invalid input', async () => {
    const token = await service.token();
    for (const declaration of operations) {
      const caller = await administrator(declaration, token);
      for (const body of ['{', '[]', '7', '"x"', '{"filters":7}', '{"a":"\\u0000"}']) {
        const { method } = declaration;
        if (method === 'GET') continue;
        const response = await service.request(method, samplePath(declaration), { ...caller, body });
        expect(response.status, `${nameOf(declaration)} ${body.slice(0, 20)}`).toBeLessThan(500);
      }
      const invalidQuery = await service.request(
        declaration.method,
        `${samplePath(declaration)}&startTime=%F0%9F%92%A9&x=%ff`,
        caller,
      );
      expect(invalidQuery.status, nameOf(declaration)).toBeLessThan(500);
    }
  });
});

async function profileOf(caller: Credential) {
  return (await service.request('GET', '/api/v2/UserProfile', caller)).body.data[0];
}

/** The path of a record that belongs to the account of the owner. */
async function foreignPath(declaration: Declaration, owner: Credential): Promise<string> {
  const { path } = declaration;
  const family = path.slice(0, path.indexOf('/{'));
  const member = idMembers[family] ?? /\{(\w+)\}/.exec(path)?.[1] ?? '';
  const generate = generated[family];
  if (generate)
    return samplePath(declaration, String(await generate((await profileOf(owner)).accounts[0].custGuid)));
  const create = operations.find((candidate) => candidate.method === 'POST' && candidate.path === family);
  if (!create) throw new Error(`${path} takes an id, but ${family} has no operation that creates a record.`);
  const created = await call(create, owner);
  const listed = await service.request('GET', samplePath({ ...create, path: family as '/' }), owner);
  const id = created.status === 201 ? created.body.data[member] : listed.body.data[0][member];
  return samplePath(declaration, id);
}

function samplePath({ path, query }: Declaration, id = 'sample'): string {
  const required = Object.entries(queryParameters).filter(([name]) => query?.required?.includes(name));
  const either = Object.entries(eitherParameters[path] ?? {});
  return `${path.replaceAll(/\{\w+\}/g, id)}?${new URLSearchParams([...required, ...either])}`;
}

/** The body from the table, or the smallest one that the schema allows. */
async function sampleBody(declaration: Declaration, caller: Credential): Promise<unknown> {
  const build = bodies[nameOf(declaration)];
  if (build) return build(await channelOf(caller), caller);
  const schema = declaration.describedBody ?? bodySchema(declaration);
  return schema && sampleOf(schema);
}

/** The built-in alert channel of the account; `none` if the caller may not read it. */
async function channelOf(caller: Credential): Promise<string> {
  const { body } = await service.request('GET', '/api/v2/AlertChannels', caller);
  return body.data?.[0].intgGuid ?? 'none';
}

/** A new integration of the type that can be migrated; `none` if the caller may not create it. */
async function auditTrailOf(caller: Credential): Promise<string> {
  const credentials = { clientId: 'c', clientEmail: 'c@example.com' };
  const data = { credentials, idType: 'PROJECT', id: 'example-project', subscriptionName: randomUUID() };
  const body = { name: 'trail', type: 'GcpAtSes', enabled: 1, data };
  const created = await service.request('POST', '/api/v2/CloudAccounts', { ...caller, body });
  return created.body.data?.intgGuid ?? 'none';
}

function sampleOf(schema: {
  type?: string;
  enum?: unknown[];
  anyOf?: object[];
  oneOf?: object[];
  properties?: Record<string, object>;
  required?: string[];
  examples?: unknown[];
  minLength?: number;
  minimum?: number;
}): unknown {
  const [form] = schema.anyOf ?? schema.oneOf ?? [];
  if (form) return sampleOf(form);
  if (schema.enum) return schema.enum[0];
  if (schema.examples) return schema.examples[0];
  const required = (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]);
  if (schema.type === 'object') return Object.fromEntries(required);
  if (schema.type === 'string') return 'a'.repeat(schema.minLength ?? 1);
  if (schema.type === 'array') return [];
  return schema.type === 'boolean' ? true : (schema.minimum ?? 1);
}
