import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';
import { describedFamilies, describeType } from './catalogue.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start();
  token = await service.token();
});
afterAll(() => service.stop());

const get = (path: string) => service.request('GET', `/api/v2/schemas${path}`, { token });

describe('GET schemas', () => {
  test('lists the types as a bare array', async () => {
    const { body } = await get('');
    expect(body).toEqual(
      expect.arrayContaining(['AlertChannels', 'AuditLogs', 'OrganizationInfo', 'UserProfile']),
    );
    expect(body).toEqual([...new Set(body)].sort());
    for (const name of body) expect((await get(`/${name}`)).status, name).toBe(200);
  });

  test('describes a dataset as names and types', async () => {
    const names = ['createdTime', 'accountName', 'userName', 'eventName', 'userAction', 'eventDescription'];
    expect((await get('/AuditLogs')).body).toEqual(names.map((name) => ({ name, type: 'string' })));
  });

  test('describes a family as a JSON schema that its responses satisfy', async () => {
    const { body } = await get('/OrganizationInfo');
    expect(body).toMatchObject({ type: 'object', required: ['orgAccount', 'orgAccountUrl'] });
    const response = await service.request('GET', '/api/v2/OrganizationInfo', { token });
    expect(Object.keys(response.body.data[0])).toEqual(Object.keys(body.properties));
  });

  test('returns 404 for an unknown type or subtype, naming it', async () => {
    for (const path of ['/Nothing', '/Nothing/More', '/AuditLogs/More', '/constructor', '/__proto__/x']) {
      const { status, body } = await get(path);
      expect([path, status]).toEqual([path, 404]);
      expect(body.message).toContain(
        path.split('/').at(-1) === 'More' ? "'" : (path.split('/')[1] as string),
      );
    }
    const { body } = await get('/AlertChannels/constructor');
    expect(body.message).toBe("Not found: subtype 'constructor' of AlertChannels.");
  });
});

describe('the catalogue', () => {
  const slack = Type.Object({ type: Type.Enum(['SlackChannel']) });
  const family = { name: 'Channels', description: 'x', subtypes: { SlackChannel: slack } };

  test('describes a family with subtypes as a union discriminated by type', () => {
    const described = describeType(family) as { oneOf: { properties: { type: { enum: string[] } } }[] };
    expect(described.oneOf[0]?.properties.type.enum[0]).toBe('SlackChannel');
  });

  test('lists a family once, and omits families without a schema', () => {
    expect(describedFamilies([family, { name: 'docs', description: 'x' }, family])).toEqual([family]);
  });
});
