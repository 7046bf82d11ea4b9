import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
let profile: string;
let created = 0;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token();
});
afterAll(() => service.stop());

const family = '/api/v2/AlertProfiles';
const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.request(method, path, { token, body, headers });
const template = (name: string, other: object = {}) => ({
  ...{ name, eventName: `Event ${name}`, description: 'User {{USERNAME}}', subject: '{{_OCCURRENCE}}' },
  ...other,
});
const templates = () => `${family}/${profile}/AlertTemplates`;
const present = async () => (await request('GET', `${family}/${profile}`)).body.data;

beforeEach(async () => {
  profile = `Profile_${++created}`;
  const alerts = [template('First'), template('Second part 2.0')];
  const body = { alertProfileId: profile, extends: 'LW_HE_USERS_DEFAULT_PROFILE', alerts };
  expect((await request('POST', family, body)).status).toBe(201);
});

describe('a template', () => {
  test('is appended to the others; the response is the whole profile', async () => {
    const added = await request('POST', templates(), template('Third', { unknown: 1 }));
    expect(added.status).toBe(201);
    expect(added.body.data).toMatchObject({
      ...{ alertProfileId: profile, extends: 'LW_HE_USERS_DEFAULT_PROFILE' },
      alerts: [template('First'), template('Second part 2.0'), template('Third')],
    });
    expect(added.body.data.fields).toContainEqual({ name: 'USERNAME' });
    expect(await present()).toEqual(added.body.data);
  });

  test('may override an inherited template but not another one of the profile', async () => {
    expect((await request('POST', templates(), template('HE_User_NewViolation'))).status).toBe(201);
    const twice = await request('POST', templates(), template('First'));
    expect([twice.status, twice.body.message]).toEqual([
      409,
      `The template 'First' already exists in the profile '${profile}': choose another name.`,
    ]);
  });

  test('is added concurrently with others without loss', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `Added_${index}`);
    const responses = await Promise.all(names.map((name) => request('POST', templates(), template(name))));
    expect(responses.map(({ status }) => status)).toEqual(names.map(() => 201));
    const { alerts } = await present();
    expect(alerts.map(({ name }: { name: string }) => name).sort()).toEqual(
      ['First', 'Second part 2.0', ...names].sort(),
    );
  });

  test('of the same name is added once, also under concurrency', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => request('POST', templates(), template('Same'))));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  test('is limited to a hundred per profile', async () => {
    const alerts = Array.from({ length: 100 }, (_, index) => template(`T${index}`));
    expect((await request('PATCH', `${family}/${profile}`, { alerts })).status).toBe(200);
    const tooMany = await request('POST', templates(), template('More'));
    expect([tooMany.status, tooMany.body.message]).toEqual([409, expect.stringContaining('100 templates')]);
  });

  test.each([
    [{ ...template('T'), name: undefined }, 'name is required'],
    [template('T', { subject: undefined }), 'subject is required'],
    [template('a/b'), 'name has an invalid value'],
    [
      template('T', { description: '{{USER_NAME}}' }),
      "description contains the unknown field 'USER_NAME'. Did you mean USERNAME",
    ],
  ])('is rejected with 400 and the name of the member: %#', async (body, expectedMessage) => {
    const before = await present();
    const response = await request('POST', templates(), body);
    expect([response.status, response.body.code]).toEqual([400, 'INVALID_INPUT']);
    expect(response.body.message).toContain(expectedMessage);
    expect(await present()).toEqual(before);
  });

  test.each(['PATCH', 'POST'])(
    'is updated by %s member by member, identified by its name in the path',
    async (method) => {
      const path = `${templates()}/${encodeURIComponent('Second part 2.0')}`;
      const changed = await request(method, path, { subject: '{{MID}}', description: null, name: 'Other' });
      expect(changed.status).toBe(200);
      expect(changed.body.data.alerts).toEqual([
        template('First'),
        template('Second part 2.0', { subject: '{{MID}}' }),
      ]);
      const invalid = await request(method, path, { subject: '{{NOPE}}' });
      expect([invalid.status, invalid.body.message]).toEqual([
        400,
        expect.stringContaining("subject contains the unknown field 'NOPE'"),
      ]);
      const kind = await request(method, path, { subject: 7 });
      expect([kind.status, kind.body.message]).toEqual([
        400,
        expect.stringContaining('subject must be a string'),
      ]);
      expect((await request(method, path, {})).body).toEqual(changed.body);
      expect(await present()).toEqual(changed.body.data);
    },
  );

  test('keeps concurrent updates of different members', async () => {
    const path = `${templates()}/First`;
    await Promise.all([
      request('PATCH', path, { eventName: 'one' }),
      request('PATCH', path, { description: 'two' }),
      request('POST', path, { subject: 'three' }),
    ]);
    const [first] = (await present()).alerts;
    expect(first).toEqual({ name: 'First', eventName: 'one', description: 'two', subject: 'three' });
  });

  test.each([
    ['DELETE', undefined, {}],
    ['POST', 'null', {}],
    ['POST', undefined, {}],
    ['POST', '', { 'content-type': 'application/json' }],
  ])('is deleted by %s with the body %j', async (method, body, headers) => {
    const removed = await request(method, `${templates()}/First`, body, headers as Record<string, string>);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await present()).alerts).toEqual([template('Second part 2.0')]);
    const again = await request(method, `${templates()}/First`, body, headers as Record<string, string>);
    expect([again.status, again.body.message]).toEqual([
      404,
      expect.stringMatching(/^Not found: alert (profile|template) '.+'\.$/),
    ]);
  });

  test('that is inherited is not part of the profile: 404', async () => {
    for (const [method, body] of [
      ['PATCH', {}],
      ['POST', {}],
      ['DELETE', undefined],
    ] as const) {
      const response = await request(method, `${templates()}/HE_User_NewViolation`, body);
      expect([response.status, response.body.message]).toEqual([
        404,
        expect.stringMatching(/^Not found: alert (profile|template) '.+'\.$/),
      ]);
    }
  });

  test('has audit entries with its name and the changed members, also for a deletion by POST', async () => {
    await request('POST', templates(), template('Third'));
    await request('PATCH', `${templates()}/Third`, { subject: 'secret words', eventName: 'Event Third' });
    await request('POST', `${templates()}/Third`, { description: 'x' });
    await request('POST', `${templates()}/Third`, 'null');
    await request('DELETE', `${templates()}/First`);
    const { body, text } = await request('POST', '/api/v2/AuditLogs/search', {
      filters: [
        { field: 'eventDescription', expression: 'like', value: `%'${profile}'%` },
        { field: 'eventName', expression: 'like', value: 'Alert Template%' },
      ],
    });
    const auditEntries = body.data.map((entry: { eventName: string; eventDescription: string }) => [
      ...[entry.eventName, entry.eventDescription.split(': ').slice(1).join(': ')],
    ]);
    expect(auditEntries).toHaveLength(5);
    expect(auditEntries).toContainEqual(['Alert Template Created', `'${profile}': alerts.Third`]);
    expect(auditEntries).toContainEqual(['Alert Template Updated', `'${profile}': alerts.Third.subject`]);
    expect(auditEntries).toContainEqual(['Alert Template Updated', `'${profile}': alerts.Third.description`]);
    expect(auditEntries).toContainEqual(['Alert Template Deleted', `'${profile}': alerts.Third`]);
    expect(auditEntries).toContainEqual(['Alert Template Deleted', `'${profile}': alerts.First`]);
    expect(text).not.toContain('secret words');
  });
});
