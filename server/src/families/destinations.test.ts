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
const movable = withSecrets.filter(({ data }) => destinationMembers(data).length > 0);
const channels = movable.filter(({ family }) => family === 'AlertChannels');

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
});
afterAll(() => service.stop());

const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.ask(method, `/api/v2/${path}`, { token, body, headers });

const secretPaths = ({ data }: IntegrationType) => secretMembers(data).map(({ path }) => path);
const isAddress = (type: IntegrationType, path: Path) =>
  schemaAt(type.data as TSchema as SchemaNode, path)?.pattern?.startsWith('^http') ?? false;
const secretFor = (type: IntegrationType, path: Path, word: string) =>
  isAddress(type, path) ? `https://hooks.example.com/${word}` : `${word}-${path.join('-')}`;

/** Settings with every secret and every destination. */
function complete(type: IntegrationType): Data {
  const [data] = fc.sample(integrationDataOf(type, { isComplete: true }), 1) as [Data];
  const hosts = destinationMembers(type.data)
    .map(({ path }) => path)
    .filter((path) => typeof memberAt(data, path) === 'string' && !isChoice(type, path));
  const addressed = hosts.reduce((all, path) => withMember(all, path, 'first.example.com'), data);
  return given(type, addressed, 'canary');
}

function isChoice(type: IntegrationType, path: Path): boolean {
  return choicesAt(type, path) !== undefined;
}

/** The values of a member that does not take any string. */
function choicesAt(type: IntegrationType, path: Path): readonly string[] | undefined {
  const schema = schemaAt(type.data as TSchema as SchemaNode, path);
  return schema?.enum ?? schema?.examples;
}

const given = (type: IntegrationType, data: Data, word: string) =>
  secretPaths(type).reduce((all, path) => withMember(all, path, secretFor(type, path, word)), data);

function moved(type: IntegrationType, data: Data, path: Path): Data {
  const value = memberAt(data, path);
  const words = choicesAt(type, path);
  if (words)
    return withMember(
      data,
      path,
      words.find((word) => word !== value),
    );
  if (typeof value === 'boolean') return withMember(data, path, !value);
  if (typeof value === 'number') return withMember(data, path, value === 0 ? 1 : value - 1);
  const address = isAddress(type, path) ? 'https://elsewhere.example/in' : 'elsewhere.example';
  return withMember(data, path, address);
}

/** What a client sends that does not know the secrets, the destination itself apart. */
function withheld(type: IntegrationType, data: Data, value: unknown, but: Path = []): Data {
  return secretPaths(type)
    .filter((path) => path.join() !== but.join())
    .reduce((all, path) => withMember(all, path, value), data);
}

async function create(type: IntegrationType, data: Data, headers: Record<string, string> = {}) {
  const body = { name: nameOf(type), type: type.type, enabled: 1, data };
  const { status, text, body: answer } = await ask('POST', type.family, body, headers);
  expect([status, text]).toEqual([201, expect.any(String)]);
  return answer.data.intgGuid as string;
}

const rowOf = (id: string) =>
  service.store.read.selectFrom('integrations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

async function storedData(id: string) {
  const keyring = await openKeyring(service.store, service.place.directory, undefined);
  return dataOf(await rowOf(id), keyring);
}

test.each(withSecrets.map((type) => [nameOf(type), type] as const))(
  'the declaration of %s says where its secrets are sent: which settings decide it, or that none does',
  (_, type) => {
    expect(destinationMembers(type.data).length > 0).toBe(type.fixedDestination === undefined);
  },
);

test('a type without secrets declares no destination of them', () => {
  const others = integrationTypes.filter((type) => !withSecrets.includes(type));
  expect(others.filter(({ data }) => destinationMembers(data).length > 0).map(nameOf)).toEqual([]);
});

describe.each(
  movable.flatMap((type) =>
    destinationMembers(type.data).map(({ path }) => [nameOf(type), path.join('.'), type, path] as const),
  ),
)('when %s changes data.%s', (_, __, type, path) => {
  test('its stored secrets must be given again, else nothing is changed', async () => {
    const data = complete(type);
    const id = await create(type, data);
    const demanded = secretPaths(type).filter((secret) => secret.join() !== path.join());
    const before = await rowOf(id);
    const methods = type.family === 'AlertChannels' ? ['PATCH', 'PUT'] : ['PATCH'];
    for (const method of methods)
      for (const value of ['', undefined, null, '****']) {
        const update = withheld(type, moved(type, data, path), value, path);
        const body = { name: 'moved', type: type.type, enabled: 1, data: update };
        const answer = await ask(method, `${type.family}/${id}`, body);
        if (demanded.length === 0) {
          expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
          continue;
        }
        expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_INPUT']);
        for (const secret of demanded) expect(answer.body.message).toMatch(`data.${secret.join('.')} `);
        expect(answer.body.message).toMatch(`because data.${path.join('.')} changed`);
        expect(answer.text).not.toContain('canary');
        expect(await rowOf(id)).toEqual(before);
      }
    await ask('DELETE', `${type.family}/${id}`);
  });

  test('it is changed together with its secrets', async () => {
    const data = complete(type);
    const id = await create(type, data);
    const update = moved(type, given(type, data, 'renewed'), path);
    const answer = await ask('PATCH', `${type.family}/${id}`, { data: update });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    expect(await storedData(id)).toMatchObject(update);
    await ask('DELETE', `${type.family}/${id}`);
  });
});

describe.each(movable.map((type) => [nameOf(type), type] as const))('%s', (_, type) => {
  test('keeps its secrets where nothing that decides their destination changes', async () => {
    const data = complete(type);
    const id = await create(type, data);
    for (const value of ['', undefined, '****']) {
      const answer = await ask('PATCH', `${type.family}/${id}`, { data: withheld(type, data, value) });
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      expect(await storedData(id)).toMatchObject(data);
    }
    expect((await ask('PATCH', `${type.family}/${id}`, { enabled: 0 })).status).toBe(200);
    expect(await storedData(id)).toMatchObject(data);
    await ask('DELETE', `${type.family}/${id}`);
  });
});

test('of several secrets each one must be given again', async () => {
  const jira = channels.find(({ type }) => type === 'Jira') as IntegrationType;
  const data = { ...complete(jira), jiraType: 'JIRA_CLOUD' };
  const id = await create(jira, data);
  const update = { ...data, jiraUrl: 'elsewhere.example', apiToken: 'given-anew', password: '' };
  const answer = await ask('PATCH', `AlertChannels/${id}`, { data: update });
  expect([answer.status, answer.body.message]).toEqual([
    400,
    'data.password must be given again because data.jiraUrl changed: a stored secret is not sent to another destination.',
  ]);
});

test('of the organization, too', async () => {
  const jira = channels.find(({ type }) => type === 'Jira') as IntegrationType;
  const headers = { 'Org-Access': 'true' };
  const data = complete(jira);
  const id = await create(jira, data, headers);
  const update = withheld(jira, { ...data, jiraUrl: 'elsewhere.example' }, '');
  const answer = await ask('PATCH', `AlertChannels/${id}`, { data: update }, headers);
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('data.apiToken')]);
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
])('%s: another spelling of %s is no change', async (name, member, first, spellings) => {
  const type = movable.find((candidate) => nameOf(candidate) === name) as IntegrationType;
  const data = { ...complete(type), [member]: first };
  const id = await create(type, data);
  for (const spelling of spellings) {
    const update = withheld(type, { ...data, [member]: spelling }, '');
    const answer = await ask('PATCH', `${type.family}/${id}`, { data: update });
    expect([spelling, answer.status, answer.text]).toEqual([spelling, 200, expect.any(String)]);
  }
  await ask('DELETE', `${type.family}/${id}`);
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
])('%s: what only looks like the same %s is a change', async (name, member, first, lookalikes) => {
  const type = movable.find((candidate) => nameOf(candidate) === name) as IntegrationType;
  const data = { ...complete(type), [member]: first };
  const id = await create(type, data);
  for (const lookalike of lookalikes) {
    const update = withheld(type, { ...data, [member]: lookalike }, '');
    const answer = await ask('PATCH', `${type.family}/${id}`, { data: update });
    expect([lookalike, answer.status]).toEqual([lookalike, 400]);
  }
  await ask('DELETE', `${type.family}/${id}`);
});
