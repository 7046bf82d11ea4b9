import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IntegrationType, nameOf } from '../integrations/declaration.ts';
import { secretMembers } from '../integrations/secrets.ts';
import {
  memberAt as at,
  integrationDataOf as dataOf,
  type SchemaNode as Node,
  withMember as plant,
  integrationTypes as types,
} from '../testing/integration-data.ts';
import { TestService } from '../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
});
afterAll(() => service.stop());

const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.ask(method, `/api/v2/${path}`, { token, body, headers });

test('the reference shows the forms of a family as a choice that one member makes', async () => {
  const { body } = await ask('GET', 'openapi.json');
  const schemaOf = (family: string) =>
    body.paths[`/api/v2/${family}`].post.requestBody.content['application/json'].schema;
  const choices: [string, string, { oneOf: object[]; discriminator: object }][] = [
    ['AlertChannels', 'type', schemaOf('AlertChannels')],
    ['CloudAccounts', 'type', schemaOf('CloudAccounts')],
    ['ContainerRegistries', 'registryType', schemaOf('ContainerRegistries').properties.data],
  ];
  for (const [family, propertyName, { oneOf, discriminator }] of choices) {
    const own = types.filter((type) => type.family === family);
    const places = own.map((type) => [nameOf(type), `#/components/schemas/${family}.${nameOf(type)}`]);
    expect(discriminator).toEqual({ propertyName, mapping: Object.fromEntries(places) });
    expect(oneOf).toEqual(places.map(([, $ref]) => ({ $ref })));
    for (const type of own) {
      const form = body.components.schemas[`${family}.${nameOf(type)}`];
      expect(form.properties[propertyName].enum).toEqual([nameOf(type)]);
      expect(Object.keys((form.properties.data ?? form).properties)).toEqual(
        Object.keys(type.data.properties),
      );
    }
  }
});

const nouns: Record<string, string> = {
  AlertChannels: 'alert channel',
  CloudAccounts: 'cloud account',
  ContainerRegistries: 'container registry',
};

describe.each(types.map((type) => [type.family, nameOf(type), type] as const))(
  '%s %s',
  (family, name, type) => {
    test('comes back as it was sent, and what GET returned can be created again after a DELETE', async () => {
      const sample = fc.sample(dataOf(type), 6);
      for (const data of sample) {
        const body = { name: `${name} of a test`, type: type.type, enabled: 1, data };
        const created = await ask('POST', family, body);
        expect([created.status, created.text]).toEqual([201, expect.any(String)]);
        const { intgGuid } = created.body.data;
        expect(intgGuid).toMatch(/^LOCAL_[A-Z0-9]{47}$/);
        const read = await ask('GET', `${family}/${intgGuid}`);
        expect(read.body).toEqual({ ...created.body, intgGuid });
        const expected = withoutSecrets(type, type.complete?.(data) ?? data) as object;
        expect(withoutSecrets(type, read.body.data.data)).toMatchObject(expected);
        const listed = await ask('GET', `${family}/${type.type}`);
        expect(listed.body.data.map((one: { intgGuid: string }) => one.intgGuid)).toContain(intgGuid);
        expect((await ask('DELETE', `${family}/${intgGuid}`)).status).toBe(204);
        const gone = await ask('GET', `${family}/${intgGuid}`);
        expect([gone.status, gone.body.message]).toEqual([404, `Not found: ${nouns[family]} '${intgGuid}'.`]);
        const again = await ask('POST', family, { ...read.body.data, name: 'restored' });
        expect([again.status, again.text]).toEqual([201, expect.any(String)]);
        expect(again.body.data.data).toEqual(read.body.data.data);
        expect((await ask('DELETE', `${family}/${again.body.data.intgGuid}`)).status).toBe(204);
      }
    });

    test('takes null for a member that is left out, at any depth, and in a change for one that stays', async () => {
      const [data] = fc.sample(dataOf(type), 1) as [Record<string, unknown>];
      const make = async (given: object) => {
        const { body } = await ask('POST', family, { name, type: type.type, enabled: 1, data: given });
        return body.data;
      };
      const plain = await make(data);
      await ask('DELETE', `${family}/${plain.intgGuid}`);
      const made = await make(withNulls(type.data as TSchema as Node, data) as object);
      expect(made.data).toEqual(plain.data);
      const nothing = { name: null, enabled: null, data: null, props: null };
      const changed = await ask('PATCH', `${family}/${made.intgGuid}`, nothing);
      expect([changed.status, changed.body.data]).toEqual([200, made]);
      await ask('DELETE', `${family}/${made.intgGuid}`);
    });

    test('keeps its secrets sealed, shows what clients compare and blanks the rest', async () => {
      const [data] = fc.sample(dataOf(type), 1) as [Record<string, unknown>];
      const planted = secretMembers(type.data).reduce(
        (all, { path }) => plant(all, path, `https://canary-${path.join('-')}`),
        data,
      );
      const { body, status } = await ask('POST', family, {
        name,
        type: type.type,
        enabled: 0,
        data: planted,
      });
      expect(status).toBe(201);
      const row = await service.store.read
        .selectFrom('integrations')
        .selectAll()
        .where('id', '=', body.data.intgGuid)
        .executeTakeFirstOrThrow();
      expect(JSON.stringify(row)).not.toContain('canary');
      for (const { path, treatment } of secretMembers(type.data)) {
        if (at(planted, path) === undefined) continue;
        expect(at(body.data.data, path)).toBe(
          treatment === 'shown' ? `https://canary-${path.join('-')}` : '',
        );
      }
      const audit = await ask('POST', 'AuditLogs/search', {
        filters: [{ field: 'eventName', expression: 'like', value: '%Created' }],
      });
      expect(audit.text).not.toContain('canary');
      await ask('DELETE', `${family}/${body.data.intgGuid}`);
    });

    test('takes an empty form only where nothing is required, else 400 names a member by its path', async () => {
      const required = ((type.data.required ?? []) as string[]).filter((member) => member !== 'registryType');
      const data = type.subtype ? { registryType: type.subtype } : {};
      const { status, body } = await ask('POST', family, { name, type: type.type, enabled: 1, data });
      expect(status).toBe(required.length > 0 ? 400 : 201);
      if (status === 400) expect(body.message).toMatch(/^data\.\w+ is required: add it to the body\.$/);
      else await ask('DELETE', `${family}/${body.data.intgGuid}`);
    });
  },
);

/** The same, with null for every member that the form knows and the data lacks. */
function withNulls({ properties }: Node, data: unknown): unknown {
  if (!properties || typeof data !== 'object' || data === null) return data;
  const given = data as Record<string, unknown>;
  const members = Object.entries(properties).map(([name, property]) => [
    name,
    given[name] === undefined ? null : withNulls(property, given[name]),
  ]);
  return { ...given, ...Object.fromEntries(members) };
}

function withoutSecrets(type: IntegrationType, data: Record<string, unknown>): unknown {
  return secretMembers(type.data).reduce(
    (all, { path }) => (at(all, path) === undefined ? all : plant(all, path, '')),
    data,
  );
}
