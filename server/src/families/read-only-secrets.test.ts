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

const ask = (
  token: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => service.ask(method, `/api/v2/${path}`, { token, body, headers });

/** Everything that a caller may see of one record: by id, in each list, and by a search. */
async function seen(token: string, family: string, places: readonly string[], filter: object, headers = {}) {
  const answers = await Promise.all([
    ...places.map((place) => ask(token, 'GET', place, undefined, headers)),
    ask(token, 'POST', `${family}/search`, { filters: [filter] }, headers),
  ]);
  for (const { status, text } of answers) expect([status, text]).toEqual([200, expect.any(String)]);
  return answers;
}

describe.each(showing.map((type) => [nameOf(type), type] as const))('%s', (name, type) => {
  test.each([{}, { 'Org-Access': 'true' }])(
    'shows readers the beginning of its secrets, with %j',
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
      const created = await ask(admin, 'POST', family, body, headers);
      expect([created.status, created.text]).toEqual([201, expect.any(String)]);
      const { intgGuid, serverToken } = created.body.data;
      const places = [
        ...[`${family}/${intgGuid}`, family, `${family}/${type.type}`],
        ...(type.subtype ? [`${family}/${type.type}/${type.subtype}`] : []),
      ];
      const filter = { field: 'intgGuid', expression: 'eq', value: intgGuid };
      const secrets = [
        ...(serverToken ? [serverToken.serverToken] : []),
        ...(shownSecrets(type).length > 0 ? ['canary'] : []),
      ];
      for (const { text, body } of await seen(reader, family, places, filter, headers)) {
        for (const secret of secrets) expect(text).not.toContain(secret);
        const record = [body.data].flat().find((one: { intgGuid: string }) => one.intgGuid === intgGuid);
        for (const path of shownSecrets(type)) expect(memberAt(record.data, path)).toBe('https://…');
        if (serverToken)
          expect(record.serverToken).toEqual({
            serverToken: `${serverToken.serverToken.slice(0, 8)}…`,
            uri: serverToken.uri,
          });
      }
      for (const { body } of await seen(admin, family, places, filter, headers)) {
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
        const [found, hidden] = await Promise.all(
          [admin, reader].map((token) =>
            ask(token, 'POST', `${family}/search`, { filters: [guess, filter] }, headers),
          ),
        );
        expect(found?.body.data.map((one: { intgGuid: string }) => one.intgGuid)).toEqual([intgGuid]);
        expect(hidden?.body.data).toEqual([]);
      }
      await ask(admin, 'DELETE', `${family}/${intgGuid}`, undefined, headers);
    },
  );

  test('keeps its secrets where an administrator sends back what a reader saw', async () => {
    const { family } = type;
    const [data] = fc.sample(integrationDataOf(type, { isComplete: true }), 1) as [Record<string, unknown>];
    const { body } = await ask(admin, 'POST', family, { name, type: type.type, enabled: 1, data });
    const { intgGuid } = body.data;
    const read = await ask(reader, 'GET', `${family}/${intgGuid}`);
    const sent = await ask(admin, 'PATCH', `${family}/${intgGuid}`, read.body.data);
    expect([sent.status, sent.body.data?.data]).toEqual([200, body.data.data]);
    await ask(admin, 'DELETE', `${family}/${intgGuid}`);
  });
});

describe('an agent access token', () => {
  test('is shown to readers by its beginning only, and they find it by nothing more', async () => {
    const family = 'AgentAccessTokens';
    const made = await ask(admin, 'POST', family, { tokenAlias: 'hosts', tokenEnabled: 1 });
    const { accessToken } = made.body.data;
    const places = [family, `${family}/${accessToken}`];
    const filter = { field: 'tokenAlias', expression: 'eq', value: 'hosts' };
    for (const { body, text } of await seen(reader, family, places, filter)) {
      expect(text).not.toContain(accessToken);
      const record = [body.data].flat().find((one: { tokenAlias: string }) => one.tokenAlias === 'hosts');
      expect(record).toEqual({ ...made.body.data, accessToken: `${accessToken.slice(0, 8)}…` });
    }
    const guess = { filters: [{ field: 'accessToken', expression: 'eq', value: accessToken }] };
    expect((await ask(admin, 'POST', `${family}/search`, guess)).body.data).toEqual([made.body.data]);
    expect((await ask(reader, 'POST', `${family}/search`, guess)).body.data).toEqual([]);
  });

  test('is shown whole to an administrator of its account who only reads elsewhere', async () => {
    await service.accounts.create('second');
    const key = await service.member('both@example.com', 'orgUser');
    await service.users.grant('both@example.com', 'accountAdmin', 'second');
    const both = await service.token(key);
    const headers = { 'Account-Name': 'second' };
    const body = { tokenAlias: 'own', tokenEnabled: 1 };
    const own = await ask(both, 'POST', 'AgentAccessTokens', body, headers);
    expect([own.status, own.text]).toEqual([201, expect.any(String)]);
    const listed = await ask(both, 'GET', 'AgentAccessTokens', undefined, headers);
    expect(listed.body.data).toContainEqual(own.body.data);
    const elsewhere = await ask(both, 'GET', 'AgentAccessTokens');
    for (const { accessToken } of elsewhere.body.data) expect(accessToken).toMatch(/^.{8}…$/);
  });
});
