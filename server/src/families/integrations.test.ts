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

const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.request(method, `/api/v2/${path}`, { token, body, headers });

test('the OpenAPI document describes the types of a family as a discriminated union', async () => {
  const { body } = await request('GET', 'openapi.json');
  const schemaOf = (family: string) =>
    body.paths[`/api/v2/${family}`].post.requestBody.content['application/json'].schema;
  const unions: [string, string, { oneOf: object[]; discriminator: object }][] = [
    ['AlertChannels', 'type', schemaOf('AlertChannels')],
    ['CloudAccounts', 'type', schemaOf('CloudAccounts')],
    ['ContainerRegistries', 'registryType', schemaOf('ContainerRegistries').properties.data],
  ];
  for (const [family, propertyName, { oneOf, discriminator }] of unions) {
    const own = types.filter((type) => type.family === family);
    const references = own.map((type) => [nameOf(type), `#/components/schemas/${family}.${nameOf(type)}`]);
    expect(discriminator).toEqual({ propertyName, mapping: Object.fromEntries(references) });
    expect(oneOf).toEqual(references.map(([, $ref]) => ({ $ref })));
    for (const type of own) {
      const schema = body.components.schemas[`${family}.${nameOf(type)}`];
      expect(schema.properties[propertyName].enum).toEqual([nameOf(type)]);
      expect(Object.keys((schema.properties.data ?? schema).properties)).toEqual(
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
    test('is returned as it was sent, and the returned record can be created again after a DELETE', async () => {
      const sample = fc.sample(dataOf(type), 6);
      for (const data of sample) {
        const body = { name: `${name} of a test`, type: type.type, enabled: 1, data };
        const created = await request('POST', family, body);
        expect([created.status, created.text]).toEqual([201, expect.any(String)]);
        const { intgGuid } = created.body.data;
        expect(intgGuid).toMatch(/^LOCAL_[A-Z0-9]{47}$/);
        const read = await request('GET', `${family}/${intgGuid}`);
        expect(read.body).toEqual({ ...created.body, intgGuid });
        const expected = withoutSecrets(type, type.complete?.(data) ?? data) as object;
        expect(withoutSecrets(type, read.body.data.data)).toMatchObject(expected);
        const list = await request('GET', `${family}/${type.type}`);
        expect(list.body.data.map((one: { intgGuid: string }) => one.intgGuid)).toContain(intgGuid);
        expect((await request('DELETE', `${family}/${intgGuid}`)).status).toBe(204);
        const missing = await request('GET', `${family}/${intgGuid}`);
        expect([missing.status, missing.body.message]).toEqual([
          404,
          `Not found: ${nouns[family]} '${intgGuid}'.`,
        ]);
        const again = await request('POST', family, { ...read.body.data, name: 'restored' });
        expect([again.status, again.text]).toEqual([201, expect.any(String)]);
        expect(again.body.data.data).toEqual(read.body.data.data);
        expect((await request('DELETE', `${family}/${again.body.data.intgGuid}`)).status).toBe(204);
      }
    });

    test('accepts null for an omitted member at any depth, and for an unchanged member in an update', async () => {
      const [data] = fc.sample(dataOf(type), 1) as [Record<string, unknown>];
      const create = async (input: object) => {
        const { body } = await request('POST', family, { name, type: type.type, enabled: 1, data: input });
        return body.data;
      };
      const plain = await create(data);
      await request('DELETE', `${family}/${plain.intgGuid}`);
      const createdRecord = await create(withNulls(type.data as TSchema as Node, data) as object);
      expect(createdRecord.data).toEqual(plain.data);
      const nothing = { name: null, enabled: null, data: null, props: null };
      const changed = await request('PATCH', `${family}/${createdRecord.intgGuid}`, nothing);
      expect([changed.status, changed.body.data]).toEqual([200, createdRecord]);
      await request('DELETE', `${family}/${createdRecord.intgGuid}`);
    });

    test('stores its secrets encrypted, returns those that clients compare and blanks the others', async () => {
      const [data] = fc.sample(dataOf(type), 1) as [Record<string, unknown>];
      const planted = secretMembers(type.data).reduce(
        (all, { path }) => plant(all, path, `https://canary-${path.join('-')}`),
        data,
      );
      const { body, status } = await request('POST', family, {
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
      const audit = await request('POST', 'AuditLogs/search', {
        filters: [{ field: 'eventName', expression: 'like', value: '%Created' }],
      });
      expect(audit.text).not.toContain('canary');
      await request('DELETE', `${family}/${body.data.intgGuid}`);
    });

    test('accepts empty data only if no member is required, otherwise the error has the path of a member', async () => {
      const required = ((type.data.required ?? []) as string[]).filter((member) => member !== 'registryType');
      const data = type.subtype ? { registryType: type.subtype } : {};
      const { status, body } = await request('POST', family, { name, type: type.type, enabled: 1, data });
      expect(status).toBe(required.length > 0 ? 400 : 201);
      if (status === 400) expect(body.message).toMatch(/^data\.\w+ is required: add it to the body\.$/);
      else await request('DELETE', `${family}/${body.data.intgGuid}`);
    });
  },
);

/** The data, with null for every member of the schema that it lacks. */
function withNulls({ properties }: Node, data: unknown): unknown {
  if (!properties || typeof data !== 'object' || data === null) return data;
  const input = data as Record<string, unknown>;
  const members = Object.entries(properties).map(([name, property]) => [
    name,
    input[name] === undefined ? null : withNulls(property, input[name]),
  ]);
  return { ...input, ...Object.fromEntries(members) };
}

function withoutSecrets(type: IntegrationType, data: Record<string, unknown>): unknown {
  return secretMembers(type.data).reduce(
    (all, { path }) => (at(all, path) === undefined ? all : plant(all, path, '')),
    data,
  );
}
