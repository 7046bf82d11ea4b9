import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

const request = (method: string, path: string, body?: unknown) =>
  service.request(method, `/api/v2/${path}`, { token, body });
const rule = (filters: object = {}, rest: object = {}) => ({
  ...{ type: 'Dataexport', filters: { name: 'export', ...filters }, intgGuidList: [channel] },
  ...rest,
});

describe('a data export rule', () => {
  test('exports the first version by default, and has no alert filters', async () => {
    const { status, body } = await request(
      'POST',
      'DataExportRules',
      rule({ description: '', severity: [1] }),
    );
    expect([status, body.data]).toEqual([
      201,
      {
        mcGuid: expect.stringMatching(/^LOCAL_[A-Z0-9]{47}$/),
        name: 'export',
        type: 'Dataexport',
        isOrg: 0,
        filters: {
          ...{ name: 'export', description: '', enabled: 1, profileVersions: ['V1'] },
          createdOrUpdatedTime: String(service.clock.now()),
          createdOrUpdatedBy: 'admin@local',
        },
        intgGuidList: [channel],
      },
    ]);
    expect((await request('GET', `DataExportRules/${body.data.mcGuid}`)).body).toEqual(body);
  });

  test('can be updated with its type and without its id, as clients do', async () => {
    const { body } = await request('POST', 'DataExportRules', rule({ description: 'd' }));
    const changed = await request(
      'PATCH',
      `DataExportRules/${body.data.mcGuid}`,
      rule({ enabled: 0, name: 'off' }),
    );
    const filters = { ...body.data.filters, enabled: 0, name: 'off' };
    expect([changed.status, changed.body.data]).toEqual([200, { ...body.data, name: 'off', filters }]);
  });

  test('is replaced by PUT: omitted members get their defaults', async () => {
    const { body } = await request('POST', 'DataExportRules', rule({ description: 'd', enabled: 0 }));
    const path = `DataExportRules/${body.data.mcGuid}`;
    const replaced = await request('PUT', path, { mcGuid: 'another', ...rule({ name: 'put' }) });
    expect(replaced.status).toBe(200);
    expect(replaced.body.data).toEqual({
      ...{ mcGuid: body.data.mcGuid, name: 'put', type: 'Dataexport', isOrg: 0, intgGuidList: [channel] },
      filters: {
        ...{ name: 'put', enabled: 1, profileVersions: ['V1'] },
        createdOrUpdatedTime: String(service.clock.now()),
        createdOrUpdatedBy: 'admin@local',
      },
    });
    expect((await request('GET', path)).body).toEqual(replaced.body);
    for (const [change, message] of [
      [{ type: undefined }, 'type is required'],
      [{ type: 'Event' }, "type must be 'Dataexport'"],
      [{ filters: undefined }, 'filters is required'],
      [{ intgGuidList: undefined }, 'intgGuidList is required'],
      [{ intgGuidList: ['NOWHERE_1'] }, "not 'NOWHERE_1'"],
    ] as const) {
      const rejected = await request('PUT', path, rule({}, change));
      expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining(message)]);
    }
    expect((await request('GET', path)).body).toEqual(replaced.body);
  });

  test.each([
    [{ profileVersions: ['V9'] }, 'filters.profileVersions[0] must be one of V1'],
    [{ profileVersions: [] }, 'filters.profileVersions must not be empty'],
    [{ description: 7 }, 'filters.description must be a string'],
  ])('with %j is rejected, and the message names the member', async (filters, message) => {
    const { status, body } = await request('POST', 'DataExportRules', rule(filters));
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test('is searchable by its name and its versions, and not among rules of another kind', async () => {
    const { body } = await request('POST', 'DataExportRules', rule({ name: 'found' }));
    const filters = [
      { field: 'filters.name', expression: 'eq', value: 'found' },
      { field: 'filters.profileVersions', expression: 'eq', value: 'V1' },
    ];
    expect((await request('POST', 'DataExportRules/search', { filters })).body).toEqual({
      data: [body.data],
    });
    expect((await request('GET', 'AlertRules')).body).toEqual({ data: [] });
    const other = await request('GET', `AlertRules/${body.data.mcGuid}`);
    expect([other.status, other.body.message]).toEqual([
      404,
      expect.stringMatching(/^Not found: alert rule '.+'\.$/),
    ]);
    expect((await request('DELETE', `AlertRules/${body.data.mcGuid}`)).status).toBe(404);
    expect((await request('DELETE', `DataExportRules/${body.data.mcGuid}`)).status).toBe(204);
  });
});
