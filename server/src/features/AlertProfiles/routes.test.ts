import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purgeOwner } from '../../control/purge.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token();
});
afterAll(() => service.stop());

const family = '/api/v2/AlertProfiles';
const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.request(method, path, { token, body, headers });

const base = 'LW_HE_FILES_DEFAULT_PROFILE';
const template = (name: string, other: object = {}) => ({
  ...{ name, eventName: `Event ${name}`, description: 'File {{PATH}}', subject: '{{_OCCURRENCE}} {{MID}}' },
  ...other,
});
const body = (alertProfileId: string, ...alerts: object[]) => ({ alertProfileId, extends: base, alerts });

async function createProfile(id: string, ...alerts: object[]) {
  const response = await request('POST', family, body(id, ...alerts));
  expect([response.status, response.body.message]).toEqual([201, undefined]);
  return response.body.data;
}

interface Shown {
  readonly alertProfileId: string;
  readonly extends: string;
  readonly fields: { name: string }[];
  readonly descriptionKeys: { name: string; spec: string }[];
  readonly alerts: { name: string }[];
}
const list = async (headers = {}): Promise<Shown[]> =>
  (await request('GET', family, undefined, headers)).body.data;

describe('a predefined profile', () => {
  test('is listed before the profiles of the account, with fields, keys and templates', async () => {
    await createProfile('A_custom_one', template('T'));
    const all = await list();
    const custom = all.findIndex(({ alertProfileId }) => alertProfileId === 'A_custom_one');
    expect(custom).toBe(23);
    expect(all.slice(0, 23).every(({ alertProfileId }) => alertProfileId.startsWith('LW_'))).toBe(true);
    for (const profile of all) {
      const [first] = profile.fields;
      expect(first).toEqual({ name: '_OCCURRENCE' });
      expect(profile.descriptionKeys[0]).toEqual({ name: '_OCCURRENCE', spec: '{{_OCCURRENCE}}' });
      expect(profile.descriptionKeys.map(({ name }) => name)).toEqual(profile.fields.map(({ name }) => name));
    }
    const root = await request('GET', `${family}/LW_LPP_BaseProfile`);
    expect(root.body.data).toMatchObject({ alertProfileId: 'LW_LPP_BaseProfile', extends: '', alerts: [] });
  });

  test('is returned as one object to every account', async () => {
    await service.accounts.create('reader');
    const { status, body: returned } = await request('GET', `${family}/${base}`, undefined, {
      'Account-Name': 'reader',
    });
    expect(status).toBe(200);
    expect(returned.data).toMatchObject({ alertProfileId: base, extends: 'LW_LPP_BaseProfile' });
    expect(returned.data.alerts[0].name).toBe('HE_File_Violation');
    expect(returned.data.fields).toContainEqual({ name: 'FILEDATA_HASH' });
  });

  test.each([
    ['PATCH', '', { alerts: [] }],
    ['DELETE', '', undefined],
    ['POST', '/AlertTemplates', template('T')],
    ['PATCH', '/AlertTemplates/HE_File_Violation', { subject: 'x' }],
    ['POST', '/AlertTemplates/HE_File_Violation', { subject: 'x' }],
    ['POST', '/AlertTemplates/HE_File_Violation', 'null'],
    ['DELETE', '/AlertTemplates/HE_File_Violation', undefined],
  ])('is immutable: %s %s is rejected with 409', async (method, path, input) => {
    const before = await list();
    const response = await request(method, `${family}/${base}${path}`, input);
    expect([response.status, response.body.code]).toEqual([409, 'CONFLICT']);
    expect(response.body.message).toContain(`'${base}' is predefined`);
    expect(response.body.message).toContain('create a profile that extends it');
    expect(await list()).toEqual(before);
  });
});

describe('a profile', () => {
  test('is created with the fields and keys of its base and its own templates', async () => {
    const created = await createProfile('Inheriting', template('Mine'));
    const extended = (await request('GET', `${family}/${base}`)).body.data;
    expect(created).toEqual({
      ...{ alertProfileId: 'Inheriting', extends: base, alerts: [template('Mine')] },
      ...{ fields: extended.fields, descriptionKeys: extended.descriptionKeys },
    });
    expect((await request('GET', `${family}/Inheriting`)).body).toEqual({ data: created });
    expect(await list()).toContainEqual(created);
  });

  test('ignores unknown members, also in templates', async () => {
    const input = { ...body('Ignoring', template('T', { severity: 'high' })), fields: [{ name: 'X' }], a: 1 };
    const created = await request('POST', family, input);
    expect(created.status).toBe(201);
    expect(created.body.data.alerts).toEqual([template('T')]);
    expect(created.body.data.fields).not.toContainEqual({ name: 'X' });
  });

  test.each([
    [{ ...body('x'), alertProfileId: undefined }, 'alertProfileId is required'],
    [body('LW_Mine'), 'alertProfileId must not begin with LW_'],
    [body('lw_mine'), 'alertProfileId must not begin with LW_'],
    [body('a.b'), 'alertProfileId has an invalid value'],
    [body('a/b'), 'alertProfileId has an invalid value'],
    [body('-a'), 'alertProfileId has an invalid value'],
    [body(''), 'alertProfileId must not be empty'],
    [body('x'.repeat(101)), 'alertProfileId must have at most 100'],
    [{ ...body('x'), extends: undefined }, 'extends is required'],
    [{ ...body('x'), extends: null }, 'extends must be a string'],
    [
      { ...body('x'), extends: 'LW_HE_FILE_DEFAULT_PROFILE' },
      "extends must be a predefined profile, not 'LW_HE_FILE_DEFAULT_PROFILE'. Did you mean LW_HE_FILES_DEFAULT_PROFILE",
    ],
    [{ ...body('x'), extends: 'qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq' }, 'Use one of LW_ACT_GCP'],
    [{ ...body('x'), extends: 'A_custom_one' }, 'extends must be a predefined profile'],
    [{ ...body('x'), alerts: undefined }, 'alerts is required'],
    [{ ...body('x'), alerts: {} }, 'alerts must be an array'],
    [
      body('x', ...Array.from({ length: 101 }, (_, n) => template(`t${n}`))),
      'alerts must have at most 100 values, not 101.',
    ],
    [body('x', { ...template('T'), name: undefined }), 'alerts[0].name is required'],
    [body('x', template('a/b')), 'alerts[0].name has an invalid value'],
    [body('x', template('..')), 'alerts[0].name has an invalid value'],
    [body('x', template('T', { eventName: undefined })), 'alerts[0].eventName is required'],
    [body('x', template('T', { eventName: ' ' })), 'alerts[0].eventName has an invalid value'],
    [body('x', template('T', { subject: 7 })), 'alerts[0].subject must be a string'],
    [body('x', template('T'), template('U'), template('T')), "alerts[2].name 'T' is already used"],
    [
      body('x', template('T', { description: 'on {{MIDD}}' })),
      "alerts[0].description contains the unknown field 'MIDD'. Did you mean MID",
    ],
    [
      body('x', template('T'), template('U', { subject: '{{EVENT_NAME}}' })),
      'alerts[1].subject contains the unknown field',
    ],
  ])('is rejected with 400 and the name of the member: %#', async (input, expectedMessage) => {
    const response = await request('POST', family, input);
    expect([response.status, response.body.code]).toEqual([400, 'INVALID_INPUT']);
    expect(response.body.message).toContain(expectedMessage);
    expect((await list()).some(({ alertProfileId }) => alertProfileId === 'x')).toBe(false);
  });

  test('is created once: one of two concurrent requests is rejected with 409', async () => {
    const responses = await Promise.all(
      [1, 2].map(() => request('POST', family, body('Twice', template('T')))),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    const later = await request('POST', family, body('Twice'));
    expect([later.status, later.body.message]).toEqual([
      409,
      "alertProfileId 'Twice' already exists: choose another one.",
    ]);
    expect((await list()).filter(({ alertProfileId }) => alertProfileId === 'Twice')).toHaveLength(1);
  });

  test('is visible in its own account only, and its id is available in other accounts', async () => {
    await service.accounts.create('neighbour');
    const otherAccount = { 'Account-Name': 'neighbour' };
    await createProfile('Private', template('T'));
    for (const [method, path, input] of [
      ['GET', '', undefined],
      ['PATCH', '', { alerts: [] }],
      ['DELETE', '', undefined],
      ['POST', '/AlertTemplates', template('U')],
      ['PATCH', '/AlertTemplates/T', { subject: 'x' }],
      ['DELETE', '/AlertTemplates/T', undefined],
    ] as const) {
      const response = await request(method, `${family}/Private${path}`, input, otherAccount);
      expect([response.status, response.body.message], method + path).toEqual([
        404,
        expect.stringMatching(/^Not found: alert profile '.+'\.$/),
      ]);
    }
    expect(await list(otherAccount)).toHaveLength(23);
    expect((await request('POST', family, body('Private', template('Theirs')), otherAccount)).status).toBe(
      201,
    );
    expect((await request('DELETE', `${family}/Private`, undefined, otherAccount)).status).toBe(204);
    expect((await request('GET', `${family}/Private`)).body.data.alerts).toEqual([template('T')]);
  });

  test('has its templates replaced by an update; templates with the same name keep omitted members', async () => {
    await createProfile('Changing', template('A'), template('B'), template('C'));
    const change = async (alerts: unknown) => request('PATCH', `${family}/Changing`, { alerts });
    const updated = await change([
      { name: 'C', subject: 'other' },
      { name: 'A', eventName: null },
      template('D'),
    ]);
    expect(updated.status).toBe(200);
    const next = [template('C', { subject: 'other' }), template('A'), template('D')];
    expect(updated.body.data.alerts).toEqual(next);
    expect((await change(null)).body.data.alerts).toEqual(next);
    expect((await request('PATCH', `${family}/Changing`, {})).body).toEqual(updated.body);
    expect((await request('GET', `${family}/Changing`)).body).toEqual(updated.body);
    expect((await change([])).body.data.alerts).toEqual([]);
  });

  test.each([
    [[{ subject: 'x' }], 'alerts[0].name is required'],
    [[{ name: 'A' }, { name: 'New', eventName: 'e', subject: '' }], 'alerts[1].description is required'],
    [[{ name: 'A' }, { name: 'A' }], "alerts[1].name 'A' is already used"],
    [[{ name: 'A', subject: '{{NOTHING}}' }], "alerts[0].subject contains the unknown field 'NOTHING'"],
    ['A', 'alerts must be an array'],
  ])(
    'rejects an invalid update with the name of the member, and does not change: %#',
    async (alerts, expectedMessage) => {
      await request('POST', family, body('Staying', template('A')));
      const response = await request('PATCH', `${family}/Staying`, { alerts });
      expect([response.status, response.body.code]).toEqual([400, 'INVALID_INPUT']);
      expect(response.body.message).toContain(expectedMessage);
      expect((await request('GET', `${family}/Staying`)).body.data.alerts).toEqual([template('A')]);
    },
  );

  test('does not exist after DELETE', async () => {
    await createProfile('Gone', template('T'));
    const removed = await request('DELETE', `${family}/Gone`);
    expect([removed.status, removed.text]).toEqual([204, '']);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const response = await request(method, `${family}/Gone`, method === 'PATCH' ? {} : undefined);
      expect([response.status, response.body.message], method).toEqual([
        404,
        expect.stringMatching(/^Not found: alert profile '.+'\.$/),
      ]);
    }
  });

  test('is searchable by its members, without a time range', async () => {
    await createProfile('Sought', template('Unheard'));
    const find = async (field: string, expression: string, value: string) =>
      (
        await request('POST', `${family}/search`, {
          filters: [{ field, expression, value }],
          returns: ['alertProfileId'],
        })
      ).body;
    const expected = { data: [{ alertProfileId: 'Sought' }] };
    expect(await find('alertProfileId', 'eq', 'Sought')).toEqual(expected);
    expect(await find('alerts[0].name', 'eq', 'Unheard')).toEqual(expected);
    const extending = await find('extends', 'eq', 'LW_LPP_BaseProfile');
    expect(extending.data).toHaveLength(22);
    expect((await find('nothing', 'eq', 'x')).message).toContain("Invalid field 'nothing'");
  });

  test('must exist if a policy refers to it, and cannot be deleted while one does', async () => {
    await createProfile('Relied_on', template('T'));
    const policy = {
      ...{ policyType: 'Violation', queryId: 'LW_Global_AWS_CTA_AccessKeyDeleted', title: 't' },
      ...{ enabled: true, alertEnabled: true, description: '', remediation: '', severity: 'low' },
    };
    const createPolicy = (alertProfile: string) =>
      request('POST', '/api/v2/Policies', { ...policy, alertProfile });
    const invalid = await createPolicy('Relied_on.U');
    expect([invalid.status, invalid.body.message]).toEqual([
      400,
      "alertProfile 'Relied_on.U' is not a template of the profile. The profile has T, HE_File_Violation, HE_File_NewViolation, HE_File_PolicyChanged.",
    ]);
    const { policyId, alertProfile } = (await createPolicy('Relied_on.T')).body.data;
    expect(alertProfile).toBe('Relied_on.T');
    const rejected = await request('DELETE', `${family}/Relied_on`);
    expect([rejected.status, rejected.body.message]).toEqual([
      409,
      expect.stringContaining(`used by ${policyId}:`),
    ]);
    expect((await request('PATCH', `/api/v2/Policies/${policyId}`, { alertProfile: base })).status).toBe(200);
    expect((await request('DELETE', `${family}/Relied_on`)).status).toBe(204);
  });

  test('has audit entries with its id and the changed members, without values', async () => {
    await createProfile('Audited', template('A'), template('B'));
    await request('PATCH', `${family}/Audited`, {
      alerts: [{ name: 'A', subject: 'secret words' }, template('C')],
    });
    await request('PATCH', `${family}/Audited`, { alerts: [{ name: 'C' }, { name: 'A' }] });
    await request('PATCH', `${family}/Audited`, { alerts: null });
    await request('DELETE', `${family}/Audited`);
    const { body: auditLog, text } = await request('POST', '/api/v2/AuditLogs/search', {
      filters: [{ field: 'eventDescription', expression: 'like', value: "%'Audited'%" }],
    });
    const auditEntries = auditLog.data.map((entry: { eventName: string; eventDescription: string }) => [
      ...[entry.eventName, entry.eventDescription.split(': ').slice(1).join(': ')],
    ]);
    expect(auditEntries).toHaveLength(5);
    expect(auditEntries).toContainEqual(['Alert Profile Created', `'Audited', which extends ${base}`]);
    const changed = ['alerts.A.subject, alerts.B, alerts.C', 'order of alerts', 'nothing'];
    for (const description of changed)
      expect(auditEntries).toContainEqual(['Alert Profile Updated', `'Audited': ${description}`]);
    expect(auditEntries).toContainEqual(['Alert Profile Deleted', "'Audited'"]);
    expect(text).not.toContain('secret words');
  });

  test('survives a restart and is deleted with its account', async () => {
    const { id } = await service.accounts.create('leaving');
    const otherAccount = { 'Account-Name': 'leaving' };
    const created = await request('POST', family, body('Lasting', template('T')), otherAccount);
    await service.restart();
    expect((await request('GET', `${family}/Lasting`, undefined, otherAccount)).body).toEqual(created.body);
    await service.accounts.delete('leaving');
    await purgeOwner(service.store, id);
    const left = service.store.read.selectFrom('alert_profiles').select('id').where('owner_id', '=', id);
    expect(await left.execute()).toEqual([]);
  });
});
