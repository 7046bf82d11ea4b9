import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openKeyring } from '../control/secret-key.ts';
import { type IntegrationType, nameOf } from '../integrations/declaration.ts';
import { destinationMembers } from '../integrations/destination.ts';
import { dataOf } from '../integrations/record.ts';
import { secretMembers } from '../integrations/secrets.ts';
import {
  integrationDataOf,
  integrationTypes,
  memberAt,
  type SchemaNode,
  schemaAt,
  withMember,
} from '../testing/integration-data.ts';
import { TestService } from '../testing/service.ts';

type Data = Record<string, unknown>;
type Path = readonly string[];

const withSecrets = integrationTypes.filter(({ data }) => secretMembers(data).length > 0);
const redirectable = withSecrets.filter(({ data }) => destinationMembers(data).length > 0);
const channels = redirectable.filter(({ family }) => family === 'AlertChannels');

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
});
afterAll(() => service.stop());

const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.request(method, `/api/v2/${path}`, { token, body, headers });

const secretPaths = ({ data }: IntegrationType) => secretMembers(data).map(({ path }) => path);
const isAddress = (type: IntegrationType, path: Path) =>
  schemaAt(type.data as TSchema as SchemaNode, path)?.pattern?.startsWith('^http') ?? false;
const secretFor = (type: IntegrationType, path: Path, label: string) =>
  isAddress(type, path) ? `https://hooks.example.com/${label}` : `${label}-${path.join('-')}`;

/** Settings with all secrets and all destination members. */
function complete(type: IntegrationType): Data {
  const [data] = fc.sample(integrationDataOf(type, { isComplete: true }), 1) as [Data];
  const hosts = destinationMembers(type.data)
    .map(({ path }) => path)
    .filter((path) => typeof memberAt(data, path) === 'string' && !isEnum(type, path));
  const withHosts = hosts.reduce((all, path) => withMember(all, path, 'first.example.com'), data);
  return withSecretValues(type, withHosts, 'canary');
}

function isEnum(type: IntegrationType, path: Path): boolean {
  return enumValuesAt(type, path) !== undefined;
}

/** The allowed values of an enumerated member. */
function enumValuesAt(type: IntegrationType, path: Path): readonly string[] | undefined {
  const schema = schemaAt(type.data as TSchema as SchemaNode, path);
  return schema?.enum ?? schema?.examples;
}

const withSecretValues = (type: IntegrationType, data: Data, label: string) =>
  secretPaths(type).reduce((all, path) => withMember(all, path, secretFor(type, path, label)), data);

function withNewDestination(type: IntegrationType, data: Data, path: Path): Data {
  const value = memberAt(data, path);
  const allowed = enumValuesAt(type, path);
  if (allowed)
    return withMember(
      data,
      path,
      allowed.find((label) => label !== value),
    );
  if (typeof value === 'boolean') return withMember(data, path, !value);
  if (typeof value === 'number') return withMember(data, path, value === 0 ? 1 : value - 1);
  const address = isAddress(type, path) ? 'https://elsewhere.example/in' : 'elsewhere.example';
  return withMember(data, path, address);
}

/** The update of a client that does not know the secrets, except one that is the destination itself. */
function withoutSecrets(type: IntegrationType, data: Data, value: unknown, except: Path = []): Data {
  return secretPaths(type)
    .filter((path) => path.join() !== except.join())
    .reduce((all, path) => withMember(all, path, value), data);
}

async function create(type: IntegrationType, data: Data, headers: Record<string, string> = {}) {
  const body = { name: nameOf(type), type: type.type, enabled: 1, data };
  const { status, text, body: response } = await request('POST', type.family, body, headers);
  expect([status, text]).toEqual([201, expect.any(String)]);
  return response.data.intgGuid as string;
}

const rowOf = (id: string) =>
  service.store.read.selectFrom('integrations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

async function storedData(id: string) {
  const keyring = await openKeyring(service.store, service.place.directory, undefined);
  return dataOf(await rowOf(id), keyring);
}

test.each(withSecrets.map((type) => [nameOf(type), type] as const))(
  '%s declares the destination of its secrets: destination members or a fixed destination',
  (_, type) => {
    expect(destinationMembers(type.data).length > 0).toBe(type.fixedDestination === undefined);
  },
);

test('a type without secrets declares no destination members', () => {
  const others = integrationTypes.filter((type) => !withSecrets.includes(type));
  expect(others.filter(({ data }) => destinationMembers(data).length > 0).map(nameOf)).toEqual([]);
});

describe.each(
  redirectable.flatMap((type) =>
    destinationMembers(type.data).map(({ path }) => [nameOf(type), path.join('.'), type, path] as const),
  ),
)('when %s changes data.%s', (_, __, type, path) => {
  test('the stored secrets must be sent again, otherwise the update is rejected', async () => {
    const data = complete(type);
    const id = await create(type, data);
    const requiredSecrets = secretPaths(type).filter((secret) => secret.join() !== path.join());
    const before = await rowOf(id);
    const methods = type.family === 'AlertChannels' ? ['PATCH', 'PUT'] : ['PATCH'];
    for (const method of methods)
      for (const value of ['', undefined, null, '****']) {
        const update = withoutSecrets(type, withNewDestination(type, data, path), value, path);
        const body = { name: 'moved', type: type.type, enabled: 1, data: update };
        const response = await request(method, `${type.family}/${id}`, body);
        if (requiredSecrets.length === 0) {
          expect([response.status, response.text]).toEqual([200, expect.any(String)]);
          continue;
        }
        expect([response.status, response.body.code]).toEqual([400, 'INVALID_INPUT']);
        for (const secret of requiredSecrets)
          expect(response.body.message).toMatch(`data.${secret.join('.')} `);
        expect(response.body.message).toMatch(`because data.${path.join('.')} changed`);
        expect(response.text).not.toContain('canary');
        expect(await rowOf(id)).toEqual(before);
      }
    await request('DELETE', `${type.family}/${id}`);
  });

  test('the update is accepted together with the secrets', async () => {
    const data = complete(type);
    const id = await create(type, data);
    const update = withNewDestination(type, withSecretValues(type, data, 'renewed'), path);
    const response = await request('PATCH', `${type.family}/${id}`, { data: update });
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    expect(await storedData(id)).toMatchObject(update);
    await request('DELETE', `${type.family}/${id}`);
  });
});

describe.each(redirectable.map((type) => [nameOf(type), type] as const))('%s', (_, type) => {
  test('keeps its secrets if the destination does not change', async () => {
    const data = complete(type);
    const id = await create(type, data);
    for (const value of ['', undefined, '****']) {
      const response = await request('PATCH', `${type.family}/${id}`, {
        data: withoutSecrets(type, data, value),
      });
      expect([response.status, response.text]).toEqual([200, expect.any(String)]);
      expect(await storedData(id)).toMatchObject(data);
    }
    expect((await request('PATCH', `${type.family}/${id}`, { enabled: 0 })).status).toBe(200);
    expect(await storedData(id)).toMatchObject(data);
    await request('DELETE', `${type.family}/${id}`);
  });
});

test('each of several secrets must be sent again', async () => {
  const jira = channels.find(({ type }) => type === 'Jira') as IntegrationType;
  const data = { ...complete(jira), jiraType: 'JIRA_CLOUD' };
  const id = await create(jira, data);
  const update = { ...data, jiraUrl: 'elsewhere.example', apiToken: 'given-anew', password: '' };
  const response = await request('PATCH', `AlertChannels/${id}`, { data: update });
  expect([response.status, response.body.message]).toEqual([
    400,
    'data.password must be given again because data.jiraUrl changed: a stored secret is not sent to another destination.',
  ]);
});

test('the destination of secrets is also protected in integrations of the organization', async () => {
  const jira = channels.find(({ type }) => type === 'Jira') as IntegrationType;
  const headers = { 'Org-Access': 'true' };
  const data = complete(jira);
  const id = await create(jira, data, headers);
  const update = withoutSecrets(jira, { ...data, jiraUrl: 'elsewhere.example' }, '');
  const response = await request('PATCH', `AlertChannels/${id}`, { data: update }, headers);
  expect([response.status, response.body.message]).toEqual([400, expect.stringContaining('data.apiToken')]);
});

test.each([
  [
    'Jira',
    'jiraUrl',
    'jira.example.com',
    ['JIRA.example.com', ' https://jira.example.com/ ', 'HTTPS://Jira.Example.com//'],
  ],
  ['SplunkHec', 'host', 'logs.example.com/in', ['https://LOGS.example.com/in/']],
  ['Datadog', 'datadogSite', 'com', [undefined]],
  ['DOCKERHUB', 'registryDomain', 'index.docker.io', [undefined, 'https://index.docker.io']],
  ['GCP_GCR', 'registryDomain', 'gcr.io', ['eu.gcr.io', 'https://us.gcr.io']],
  ['GCP_GAR', 'registryDomain', 'us-west1-docker.pkg.dev', ['europe-docker.pkg.dev']],
  [
    'AzureAlSeq',
    'queueUrl',
    'https://one.queue.core.windows.net/q',
    ['https://two.queue.core.windows.net/q'],
  ],
])('%s: an equivalent spelling of %s is not a new destination', async (name, member, first, spellings) => {
  const type = redirectable.find((candidate) => nameOf(candidate) === name) as IntegrationType;
  const data = { ...complete(type), [member]: first };
  const id = await create(type, data);
  for (const spelling of spellings) {
    const update = withoutSecrets(type, { ...data, [member]: spelling }, '');
    const response = await request('PATCH', `${type.family}/${id}`, { data: update });
    expect([spelling, response.status, response.text]).toEqual([spelling, 200, expect.any(String)]);
  }
  await request('DELETE', `${type.family}/${id}`);
});

test.each([
  [
    'Jira',
    'jiraUrl',
    'jira.example.com',
    [
      'http://jira.example.com',
      'jira.example.com:8443',
      'jira.example.com@elsewhere.example',
      'jira.example.com.elsewhere.example',
      '\u212aira.example.com',
    ],
  ],
  ['SplunkHec', 'host', 'logs.example.com', ['logs.example.com:443']],
  [
    'GCP_GCR',
    'registryDomain',
    'gcr.io',
    [
      'http://gcr.io',
      'gcr.io:444',
      'notgcr.io',
      'gcr.io.elsewhere.example',
      'elsewhere.example/.gcr.io',
      'elsewhere.example\\.gcr.io',
      'u@elsewhere.example:1/gcr.io',
    ],
  ],
  [
    'AzureAlSeq',
    'queueUrl',
    'https://one.queue.core.windows.net/q',
    ['https://elsewhere.example\u3002core.windows.net/q', 'https://x@elsewhere.example?.core.windows.net'],
  ],
])('%s: a lookalike of %s is a new destination', async (name, member, first, lookalikes) => {
  const type = redirectable.find((candidate) => nameOf(candidate) === name) as IntegrationType;
  const data = { ...complete(type), [member]: first };
  const id = await create(type, data);
  for (const lookalike of lookalikes) {
    const update = withoutSecrets(type, { ...data, [member]: lookalike }, '');
    const response = await request('PATCH', `${type.family}/${id}`, { data: update });
    expect([lookalike, response.status]).toEqual([lookalike, 400]);
  }
  await request('DELETE', `${type.family}/${id}`);
});
