import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IntegrationType, nameOf } from '../integrations/declaration.ts';
import { secretMembers } from '../integrations/secrets.ts';
import { integrationDataOf, integrationTypes, memberAt, withMember } from '../testing/integration-data.ts';
import { TestService } from '../testing/service.ts';

const shownSecrets = ({ data }: IntegrationType) =>
  secretMembers(data)
    .filter(({ treatment }) => treatment === 'shown')
    .map(({ path }) => path);
const showing = integrationTypes.filter((type) => shownSecrets(type).length > 0 || type.issuesServerToken);

let service: TestService;
let admin: string;
let reader: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  admin = await service.token(service.firstKey, 86_400);
  reader = await service.token(await service.member('reader@example.com', 'orgUser'), 86_400);
});
afterAll(() => service.stop());

const request = (
  token: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => service.request(method, `/api/v2/${path}`, { token, body, headers });

/** The responses that contain a record: by id, in each list, and from a search. */
async function readEverywhere(
  token: string,
  family: string,
  paths: readonly string[],
  filter: object,
  headers = {},
) {
  const responses = await Promise.all([
    ...paths.map((path) => request(token, 'GET', path, undefined, headers)),
    request(token, 'POST', `${family}/search`, { filters: [filter] }, headers),
  ]);
  for (const { status, text } of responses) expect([status, text]).toEqual([200, expect.any(String)]);
  return responses;
}

describe.each(showing.map((type) => [nameOf(type), type] as const))('%s', (name, type) => {
  test.each([{}, { 'Org-Access': 'true' }])(
    'shows only the beginning of its secrets to read-only users, with headers %j',
    async (headers) => {
      const { family } = type;
      const [sample] = fc.sample(integrationDataOf(type, { isComplete: true }), 1) as [
        Record<string, unknown>,
      ];
      const data = shownSecrets(type).reduce(
        (all, path) => withMember(all, path, 'https://hooks.example.com/canary'),
        sample,
      );
      const body = { name: 'channel', type: type.type, enabled: 1, data };
      const created = await request(admin, 'POST', family, body, headers);
      expect([created.status, created.text]).toEqual([201, expect.any(String)]);
      const { intgGuid, serverToken } = created.body.data;
      const paths = [
        ...[`${family}/${intgGuid}`, family, `${family}/${type.type}`],
        ...(type.subtype ? [`${family}/${type.type}/${type.subtype}`] : []),
      ];
      const filter = { field: 'intgGuid', expression: 'eq', value: intgGuid };
      const secrets = [
        ...(serverToken ? [serverToken.serverToken] : []),
        ...(shownSecrets(type).length > 0 ? ['canary'] : []),
      ];
      for (const { text, body } of await readEverywhere(reader, family, paths, filter, headers)) {
        for (const secret of secrets) expect(text).not.toContain(secret);
        const record = [body.data].flat().find((one: { intgGuid: string }) => one.intgGuid === intgGuid);
        for (const path of shownSecrets(type)) expect(memberAt(record.data, path)).toBe('https://…');
        if (serverToken)
          expect(record.serverToken).toEqual({
            serverToken: `${serverToken.serverToken.slice(0, 8)}…`,
            uri: serverToken.uri,
          });
      }
      for (const { body } of await readEverywhere(admin, family, paths, filter, headers)) {
        const record = [body.data].flat().find((one: { intgGuid: string }) => one.intgGuid === intgGuid);
        expect(record).toEqual(created.body.data);
      }
      const guesses = [
        ...shownSecrets(type).map((path) => ({
          field: `data.${path.join('.')}`,
          expression: 'like',
          value: '%canary',
        })),
        ...(serverToken
          ? [{ field: 'serverToken.serverToken', expression: 'eq', value: serverToken.serverToken }]
          : []),
      ];
      for (const guess of guesses) {
        const [matches, hidden] = await Promise.all(
          [admin, reader].map((token) =>
            request(token, 'POST', `${family}/search`, { filters: [guess, filter] }, headers),
          ),
        );
        expect(matches?.body.data.map((one: { intgGuid: string }) => one.intgGuid)).toEqual([intgGuid]);
        expect(hidden?.body.data).toEqual([]);
      }
      await request(admin, 'DELETE', `${family}/${intgGuid}`, undefined, headers);
    },
  );

  test('keeps its secrets when an administrator sends back the record that a read-only user got', async () => {
    const { family } = type;
    const [data] = fc.sample(integrationDataOf(type, { isComplete: true }), 1) as [Record<string, unknown>];
    const { body } = await request(admin, 'POST', family, { name, type: type.type, enabled: 1, data });
    const { intgGuid } = body.data;
    const read = await request(reader, 'GET', `${family}/${intgGuid}`);
    const sent = await request(admin, 'PATCH', `${family}/${intgGuid}`, read.body.data);
    expect([sent.status, sent.body.data?.data]).toEqual([200, body.data.data]);
    await request(admin, 'DELETE', `${family}/${intgGuid}`);
  });
});

describe('an agent access token', () => {
  test('is truncated for read-only users, who cannot search for the whole value', async () => {
    const family = 'AgentAccessTokens';
    const createdRecord = await request(admin, 'POST', family, { tokenAlias: 'hosts', tokenEnabled: 1 });
    const { accessToken } = createdRecord.body.data;
    const paths = [family, `${family}/${accessToken}`];
    const filter = { field: 'tokenAlias', expression: 'eq', value: 'hosts' };
    for (const { body, text } of await readEverywhere(reader, family, paths, filter)) {
      expect(text).not.toContain(accessToken);
      const record = [body.data].flat().find((one: { tokenAlias: string }) => one.tokenAlias === 'hosts');
      expect(record).toEqual({ ...createdRecord.body.data, accessToken: `${accessToken.slice(0, 8)}…` });
    }
    const guess = { filters: [{ field: 'accessToken', expression: 'eq', value: accessToken }] };
    expect((await request(admin, 'POST', `${family}/search`, guess)).body.data).toEqual([
      createdRecord.body.data,
    ]);
    expect((await request(reader, 'POST', `${family}/search`, guess)).body.data).toEqual([]);
  });

  test('is shown in full to an administrator of its account who has read-only access elsewhere', async () => {
    await service.accounts.create('second');
    const key = await service.member('both@example.com', 'orgUser');
    await service.users.grant('both@example.com', 'accountAdmin', 'second');
    const both = await service.token(key);
    const headers = { 'Account-Name': 'second' };
    const body = { tokenAlias: 'own', tokenEnabled: 1 };
    const own = await request(both, 'POST', 'AgentAccessTokens', body, headers);
    expect([own.status, own.text]).toEqual([201, expect.any(String)]);
    const list = await request(both, 'GET', 'AgentAccessTokens', undefined, headers);
    expect(list.body.data).toContainEqual(own.body.data);
    const elsewhere = await request(both, 'GET', 'AgentAccessTokens');
    for (const { accessToken } of elsewhere.body.data) expect(accessToken).toMatch(/^.{8}…$/);
  });
});
