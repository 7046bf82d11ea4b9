import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsSection, DefinitionClient } from '../../testing/report-definitions.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let definitions: DefinitionClient;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  definitions = await DefinitionClient.of(service);
  token = await service.token(service.firstKey, 86_400);
});
afterAll(() => service.stop());

const list = async () => (await definitions.request('GET', '')).body.data;
const now = () => new Date(service.clock.now()).toISOString();
const builtIn = async (title: string) =>
  (await list()).find(({ reportName }: { reportName: string }) => reportName === title);
const cis = 'CIS Amazon Web Services Foundations Benchmark v1.4.0';

describe('a custom definition', () => {
  test('is created with defaults, read, listed after the built-in ones, and deleted', async () => {
    const created = await definitions.create('Baseline');
    expect(created).toEqual({
      reportDefinitionGuid: expect.stringMatching(/^LOCAL_[A-Z0-9]{47}$/),
      ...{ reportName: 'Baseline', displayName: 'Baseline', reportType: 'COMPLIANCE', subReportType: 'AWS' },
      reportDefinition: { sections: [awsSection], overrides: [] },
      ...{ props: {}, alertChannels: [], version: 1, enabled: 1, updateType: 'Create' },
      ...{ createdBy: 'admin@local', createdTime: now() },
    });
    const path = `/${created.reportDefinitionGuid}`;
    expect((await definitions.request('GET', path)).body).toEqual({ data: created });
    const all = await list();
    expect(all.at(-1)).toEqual(created);
    expect(all.slice(0, -1).every(({ createdBy }: { createdBy: string }) => createdBy === 'SYSTEM')).toBe(
      true,
    );
    expect((await definitions.request('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) {
      const missing = await definitions.request(method, path);
      expect([missing.status, missing.body.message]).toEqual([
        404,
        `Not found: report definition '${created.reportDefinitionGuid}'.`,
      ]);
    }
    expect((await definitions.request('GET', `${path}?allVersions=true`)).status).toBe(404);
  });

  test('keeps all members that clients send, and accepts null, empty strings and server members', async () => {
    const { body: channels } = await service.request('GET', '/api/v2/AlertChannels', { token });
    const { body: groups } = await service.request('GET', '/api/v2/ResourceGroups', { token });
    const [channel, group] = [channels.data[0].intgGuid, groups.data[0].resourceGroupGuid];
    const full = await definitions.create('Full', {
      ...{ displayName: 'Full title', reportNotificationType: 'x', distributionType: 'pdf', enabled: 0 },
      ...{ alertChannels: [channel], frequency: 'weekly' },
      props: { engine: 'e', releaseLabel: 'r', resourceGroups: [group], integrations: ['123456789012'] },
      reportDefinition: {
        sections: [awsSection],
        overrides: [{ policy: 'lacework-global-31', title: 'Own title' }],
      },
    });
    expect(full).toMatchObject({
      ...{ displayName: 'Full title', reportNotificationType: 'x', distributionType: 'pdf', enabled: 0 },
      ...{ alertChannels: [channel], frequency: 'weekly' },
      props: { engine: 'e', releaseLabel: 'r', resourceGroups: [group], integrations: ['123456789012'] },
      reportDefinition: { overrides: [{ policy: 'lacework-global-31', title: 'Own title' }] },
    });
    const sparse = await definitions.create('Sparse', {
      ...{ displayName: '', distributionType: '', props: {}, alertChannels: null, frequency: null },
      ...{ version: 7, createdBy: 'SYSTEM', createdTime: null, updateType: 'x', reportDefinitionGuid: 'y' },
      reportDefinition: {
        sections: [
          { category: '', title: 'a', policies: ['lacework-global-1'] },
          { title: 'b', policies: null },
        ],
        overrides: null,
      },
    });
    expect(sparse).toMatchObject({ displayName: 'Sparse', version: 1, createdBy: 'admin@local' });
    expect(sparse).not.toHaveProperty('distributionType');
    expect(sparse.reportDefinition).toEqual({
      sections: [
        { category: '', title: 'a', policies: ['lacework-global-1'] },
        { category: '', title: 'b', policies: [] },
      ],
      overrides: [],
    });
    for (const { reportDefinitionGuid } of [full, sparse])
      await definitions.request('DELETE', `/${reportDefinitionGuid}`);
  });

  test('may have policies of the account, also with $account, and keeps them when they are deleted', async () => {
    const policy = { policyType: 'Manual', title: 'Own', description: '', remediation: '', severity: 'low' };
    const flags = { enabled: false, alertEnabled: false, policyId: '$account-own-1' };
    const own = await service.request('POST', '/api/v2/Policies', { token, body: { ...policy, ...flags } });
    expect(own.status).toBe(201);
    const sections = [{ title: 'Own', policies: ['$account-own-1', 'lacework-global-1'] }];
    const { reportDefinitionGuid: guid, reportDefinition } = await definitions.create('Own', {
      reportDefinition: { sections, overrides: [{ policy: '$account-own-1', title: 'Renamed' }] },
    });
    expect(reportDefinition).toEqual({
      sections: [{ category: '', title: 'Own', policies: ['local-own-1', 'lacework-global-1'] }],
      overrides: [{ policy: 'local-own-1', title: 'Renamed' }],
    });
    await service.request('DELETE', '/api/v2/Policies/local-own-1', { token });
    const changed = await definitions.request('PATCH', `/${guid}`, {
      displayName: 'Later',
      reportDefinition,
    });
    expect([changed.status, changed.body.data.reportDefinition]).toEqual([200, reportDefinition]);
    const added = await definitions.request('POST', '', definitions.body('Late', { reportDefinition }));
    expect([added.status, added.body.message]).toEqual([
      400,
      'reportDefinition names policies that the account does not have: local-own-1. Remove them, or use identifiers of GET /api/v2/Policies.',
    ]);
    await definitions.request('DELETE', `/${guid}`);
  });

  const content = (sections: unknown, overrides?: unknown) => ({ reportDefinition: { sections, overrides } });
  const titled = (policies: unknown) => ({ title: 'x', policies });
  test.each(
    (
      [
        [content([]), 'reportDefinition.sections must not be empty.'],
        [content([titled([])]), 'reportDefinition.sections has no policy: add'],
        [
          content([{ title: ' ', policies: ['a'] }]),
          'reportDefinition.sections[0].title has an invalid value',
        ],
        [
          content([titled(['a', 'a'])]),
          'reportDefinition.sections[0].policies must not contain the same value',
        ],
        [
          content([titled(['lacework-global-1', 'nope-1']), titled(['nope-2'])]),
          'reportDefinition names policies that the account does not have: nope-1, nope-2. Remove them',
        ],
        [
          content([titled(Array.from({ length: 12 }, (_, at) => `p-${at}`))]),
          'p-8, p-9 and 2 more. Remove them',
        ],
        [
          content(
            Array.from({ length: 3 }, () =>
              titled(Array.from({ length: 700 }, (_, at) => `lacework-global-${at}`)),
            ),
          ),
          'reportDefinition.sections has 2100 policies, more than the maximum of 2000: remove some.',
        ],
        [
          content(Array(201).fill(awsSection)),
          'reportDefinition.sections must have at most 200 values, not 201.',
        ],
        [
          content([awsSection], Array(2).fill({ policy: 'lacework-global-31', title: 'x' })),
          'reportDefinition.overrides[1].policy repeats lacework-global-31: keep one title',
        ],
        [
          content([awsSection], [{ policy: 'nope', title: 'x' }]),
          'reportDefinition names policies that the account does not have: nope.',
        ],
        [{ subReportType: 'OCI' }, 'subReportType must be one of AWS, Azure, GCP, K8s'],
        [{ reportType: 'OTHER' }, "reportType must be one of COMPLIANCE, not 'OTHER'."],
        [{ reportName: ' ' }, 'reportName has an invalid value'],
        [{ enabled: 2 }, 'enabled must be 0 (disabled) or 1 (enabled), not 2.'],
        [
          { alertChannels: ['x'] },
          'alertChannels[0] must be the intgGuid of an alert channel of the account',
        ],
        [
          { props: { resourceGroups: ['x'] } },
          'props.resourceGroups[0] must be the resourceGroupGuid of a resource group of the account',
        ],
      ] as [object, string][]
    ).map(([rest, message]) => [message, rest] as const),
  )('is rejected: %s', async (message, rest) => {
    const rejected = await definitions.request('POST', '', definitions.body('Wrong', rest));
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test('has a name that no other definition has, built-in or custom', async () => {
    const { reportDefinitionGuid: first } = await definitions.create('Taken');
    const { reportDefinitionGuid: second } = await definitions.create('Free');
    for (const response of [
      await definitions.request('POST', '', definitions.body('Taken')),
      await definitions.request('PATCH', `/${second}`, { reportName: 'Taken' }),
    ])
      expect([response.status, response.body.message]).toEqual([
        409,
        `reportName 'Taken' already exists (${first}): choose another one.`,
      ]);
    for (const response of [
      await definitions.request('POST', '', definitions.body(cis)),
      await definitions.request('PATCH', `/${second}`, { reportName: cis }),
    ])
      expect([response.status, response.body.message]).toEqual([
        409,
        `reportName '${cis}' is that of a built-in definition: choose another one.`,
      ]);
    expect((await definitions.request('PATCH', `/${first}`, { reportName: 'Taken' })).status).toBe(200);
    // As if an upgrade had brought the framework later.
    await service.store.housekeeping((tx) =>
      tx.updateTable('report_definitions').set({ report_name: cis }).where('id', '=', second).execute(),
    );
    const kept = await definitions.request('PATCH', `/${second}`, { reportName: cis, displayName: 'x' });
    expect([kept.status, kept.body.data.displayName]).toEqual([200, 'x']);
    for (const guid of [first, second]) await definitions.request('DELETE', `/${guid}`);
    const { reportDefinitionGuid } = await definitions.create('Taken');
    await definitions.request('DELETE', `/${reportDefinitionGuid}`);
  });
});

describe('the built-in definitions', () => {
  test('are the frameworks, with stable identifiers and the policies of this release', async () => {
    const all = (await list()).filter(({ createdBy }: { createdBy: string }) => createdBy === 'SYSTEM');
    expect(all).toHaveLength(52);
    const definition = await builtIn(cis);
    expect(definition).toMatchObject({
      reportDefinitionGuid: 'SYSTEM_S2M1YXEEJO1FHHOVYVIIDNQZIWGDF5D5NB16UU2DZO4G76D',
      ...{ displayName: cis, reportType: 'COMPLIANCE', subReportType: 'AWS', version: 1, enabled: 1 },
      ...{ reportNotificationType: 'AWS_CIS_14', props: { engine: 'lql' }, alertChannels: [] },
      createdTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/),
    });
    const [first] = definition.reportDefinition.sections;
    expect(first).toMatchObject({ category: '1', title: 'Identity and access' });
    expect(first.policies).toContain('lacework-global-34');
    expect(new Set(first.policies).size).toBe(first.policies.length);
    const guid = definition.reportDefinitionGuid;
    expect((await definitions.request('GET', `/${guid}`)).body.data).toEqual(definition);
    expect((await definitions.request('GET', `/${guid}?allVersions=true`)).body.data).toEqual([definition]);
    const guids = all.map(
      ({ reportDefinitionGuid }: { reportDefinitionGuid: string }) => reportDefinitionGuid,
    );
    expect(new Set(guids).size).toBe(52);
  });

  test('can not be changed, reverted or deleted, but copied', async () => {
    const { reportDefinitionGuid, ...definition } = await builtIn(cis);
    const path = `/${reportDefinitionGuid}`;
    for (const response of [
      await definitions.request('PATCH', path, { displayName: 'x' }),
      await definitions.request('PATCH', `${path}?revertTo=1`, '""'),
      await definitions.request('DELETE', path),
    ])
      expect([response.status, response.body.message]).toEqual([
        409,
        `The report definition '${cis}' is built in and can not be changed or deleted: create another one with its sections.`,
      ]);
    const copy = await definitions.request('POST', '', { ...definition, reportName: 'Copy' });
    expect([copy.status, copy.body.data.reportDefinition]).toEqual([201, definition.reportDefinition]);
    await definitions.request('DELETE', `/${copy.body.data.reportDefinitionGuid}`);
  });
});

test('the definitions of an account are not visible in another one', async () => {
  const { reportDefinitionGuid: guid } = await definitions.create('Private');
  await service.accounts.create('other');
  const key = await service.member('other@example.com', 'accountAdmin', 'other');
  const foreign = await service.token(key);
  const ask = (method: string, path: string, body?: unknown) =>
    service.request(method, `/api/v2/ReportDefinitions${path}`, { token: foreign, body });
  for (const response of [
    await ask('GET', `/${guid}`),
    await ask('GET', `/${guid}?allVersions=true`),
    await ask('PATCH', `/${guid}`, { displayName: 'x' }),
    await ask('PATCH', `/${guid}?revertTo=1`, '""'),
    await ask('DELETE', `/${guid}`),
  ])
    expect([response.status, response.body.message]).toEqual([
      404,
      `Not found: report definition '${guid}'.`,
    ]);
  expect((await ask('GET', '')).text).not.toContain('Private');
  expect((await ask('POST', '', definitions.body('Private'))).status).toBe(201);
  await service.accounts.delete('other');
  expect((await definitions.request('GET', `/${guid}`)).status).toBe(200);
  await definitions.request('DELETE', `/${guid}`);
});
