import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportTypeNames, typesWithoutReport } from '../../rules/report-types.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
let channel: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token();
  channel = (await request('GET', 'AlertChannels')).body.data[0].intgGuid;
});
afterAll(() => service.stop());

const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.request(method, `/api/v2/${path}`, { token, body, headers });
const rule = (types: unknown, filters: object = {}) => ({
  ...{ type: 'Report', filters: { name: 'weekly', ...filters }, intgGuidList: [channel] },
  reportNotificationTypes: types,
});
const bySeverity = [
  ...['agentEvents', 'awsCloudtrailEvents', 'awsComplianceEvents', 'azureActivityLogEvents'],
  ...['azureComplianceEvents', 'gcpAuditTrailEvents', 'gcpComplianceEvents', 'openShiftComplianceEvents'],
  'platformEvents',
];

describe('a report rule', () => {
  test('keeps all report types, including hyphenated, unknown and disabled ones', async () => {
    const types = Object.fromEntries([...reportTypeNames, 'tomorrow'].map((name, n) => [name, n % 2 === 0]));
    const { status, body } = await request('POST', 'ReportRules', rule(types, { severity: [2, 1] }));
    expect([status, body.message]).toEqual([201, undefined]);
    expect(body.data).toEqual({
      mcGuid: expect.stringMatching(/^LOCAL_[A-Z0-9]{47}$/),
      name: 'weekly',
      type: 'Report',
      isOrg: 0,
      filters: {
        ...{ name: 'weekly', enabled: 1, severity: [2, 1] },
        createdOrUpdatedTime: String(service.clock.now()),
        createdOrUpdatedBy: 'admin@local',
      },
      intgGuidList: [channel],
      reportNotificationTypes: types,
      unsupportedTypes: typesWithoutReport(types),
    });
    expect(body.data.unsupportedTypes).toContain('awsCyberEssentials22');
    const served = await request('POST', 'ReportRules', rule({ pci: true, openShiftCompliance: false }));
    expect(served.body.data).not.toHaveProperty('unsupportedTypes');
    expect(reportTypeNames).toHaveLength(57);
    expect(reportTypeNames).toContain('nist800-53Rev4');
    expect((await request('GET', `ReportRules/${body.data.mcGuid}`)).body).toEqual(body);
  });

  test.each(bySeverity)('about %s requires a severity, on creation and update', async (type) => {
    const message = `filters.severity is required when reportNotificationTypes.${type} is true`;
    const refusal = [400, expect.stringContaining(message)];
    for (const filters of [{}, { severity: null }, { severity: [] }]) {
      const { status, body } = await request('POST', 'ReportRules', rule({ [type]: true }, filters));
      expect([status, body.message]).toEqual(refusal);
    }
    const created = await request('POST', 'ReportRules', rule({ [type]: false, pci: true }));
    expect(created.status).toBe(201);
    const path = `ReportRules/${created.body.data.mcGuid}`;
    const added = await request('PATCH', path, { reportNotificationTypes: { [type]: true } });
    expect([added.status, added.body.message]).toEqual(refusal);
    expect((await request('GET', path)).body).toEqual(created.body);
    const both = await request('PATCH', path, {
      ...{ reportNotificationTypes: { [type]: true }, filters: { severity: [1] } },
    });
    expect(both.body.data.reportNotificationTypes).toEqual({ [type]: true, pci: true });
    const emptied = await request('PATCH', path, { filters: { severity: [] } });
    expect([emptied.status, emptied.body.message]).toEqual(refusal);
  });

  test('with a severity accepts a further type without one', async () => {
    const { body } = await request('POST', 'ReportRules', rule({ soc: true }, { severity: [3] }));
    const changed = await request('PATCH', `ReportRules/${body.data.mcGuid}`, {
      reportNotificationTypes: { agentEvents: true, soc: false },
    });
    expect(changed.body.data).toEqual({
      ...body.data,
      reportNotificationTypes: { soc: false, agentEvents: true },
    });
  });

  test('keeps concurrent updates of different types', async () => {
    const { body } = await request('POST', 'ReportRules', rule({ pci: true }));
    const path = `ReportRules/${body.data.mcGuid}`;
    const names = ['soc', 'hipaa', 'gcpCis', 'azureCis', 'trendReport'];
    await Promise.all(
      names.map((name) => request('PATCH', path, { reportNotificationTypes: { [name]: true } })),
    );
    const reportTypes = (await request('GET', path)).body.data.reportNotificationTypes;
    expect(reportTypes).toEqual(Object.fromEntries(['pci', ...names].map((name) => [name, true])));
  });

  test.each([
    [undefined, 'reportNotificationTypes is required'],
    [null, 'reportNotificationTypes must be an object'],
    [{ pci: 1 }, 'reportNotificationTypes.pci must be a boolean'],
    [{ tomorrow: 'yes' }, 'reportNotificationTypes.tomorrow must be a boolean'],
  ])('with the types %j is rejected, and the message names the member', async (types, message) => {
    const { status, body } = await request('POST', 'ReportRules', rule(types));
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test('belongs to the account, also with Org-Access', async () => {
    const { body } = await request('POST', 'ReportRules', rule({ pci: true }), { 'Org-Access': 'true' });
    const own = await request('GET', `ReportRules/${body.data.mcGuid}`);
    expect([own.status, own.body]).toEqual([200, body]);
  });

  test('is searchable by its name and its report types', async () => {
    const { body } = await request(
      'POST',
      'ReportRules',
      rule({ agentEvents: true }, { name: 'found', severity: [1] }),
    );
    for (const [field, value] of [
      ['name', 'found'],
      ['filters.name', 'found'],
      ['reportNotificationTypes.agentEvents', 'true'],
    ]) {
      const filters = [
        { field, expression: 'eq', value },
        { field: 'name', expression: 'eq', value: 'found' },
      ];
      expect((await request('POST', 'ReportRules/search', { filters })).body).toEqual({ data: [body.data] });
    }
  });

  test('has audit entries with the changed types', async () => {
    const { mcGuid } = (await request('POST', 'ReportRules', rule({ pci: true }))).body.data;
    await request('PATCH', `ReportRules/${mcGuid}`, { reportNotificationTypes: { pci: false } });
    const { body } = await request('POST', 'AuditLogs/search', {
      filters: [{ field: 'eventName', expression: 'eq', value: 'Report Rule Updated' }],
    });
    const descriptions = body.data.map((entry: { eventDescription: string }) => entry.eventDescription);
    expect(descriptions).toContainEqual(
      expect.stringContaining(`ReportRules 'weekly' (${mcGuid}): reportNotificationTypes.pci`),
    );
  });
});
