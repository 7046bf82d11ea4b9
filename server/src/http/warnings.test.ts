import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start();
  token = await service.token();
});
afterAll(() => service.stop());

const post = (path: string, body: unknown) => service.request('POST', `/api/v2/${path}`, { token, body });
const queryText = '{ source { LW_HE_MACHINES } return { MID } }';

describe('a read request with unknown members', () => {
  // Each of these serializes its response differently: bytes, an array, a page, streamed records, an object.
  test.each([
    ['AuditLogs/search', {}],
    ['AlertRules/search', {}],
    ['Policies/search', { filters: [{ field: 'policyId', expression: 'rlike', value: '(?i)none' }] }],
    ['Entities/Machines/search', {}],
    ['Queries/execute', { query: { queryText } }],
    ['Queries/validate', { queryText }],
  ])('gets warnings before the other members from %s', async (path, body) => {
    const plain = await post(path, body);
    expect([plain.status, plain.body.warnings]).toEqual([200, undefined]);
    const warned = await post(path, { ...body, qqq: 1 });
    const warnings = [expect.stringMatching(/^unknown member 'qqq' was ignored; known members are /)];
    expect([warned.status, warned.text.startsWith('{"warnings":[')]).toEqual([200, true]);
    expect(warned.body).toEqual({ ...plain.body, data: warned.body.data, warnings });
  });

  test('gets warnings at every level, with suggestions', async () => {
    const { body } = await post('Entities/Machines/search', {
      filter: [{ field: 'mid', expression: 'eq', value: 1 }],
      timeFilter: { starttime: '2020-01-01', endTme: '2020-01-01' },
      filters: [{ field: 'mid', expression: 'eq', value: 1, negate: true }],
      return: ['mid'],
    });
    expect(body).toEqual({
      warnings: [
        "unknown member 'filter' was ignored; did you mean 'filters'?",
        "unknown member 'timeFilter.starttime' was ignored; did you mean 'startTime'?",
        "unknown member 'timeFilter.endTme' was ignored; did you mean 'endTime'?",
        "unknown member 'filters[0].negate' was ignored; known members are field, expression, value, values.",
        "unknown member 'return' was ignored; did you mean 'returns'?",
      ],
      paging: { rows: 0, totalRows: 0, urls: { nextPage: null } },
      data: [],
    });
  });

  test('gets no warnings if it is a write', async () => {
    const created = await post('AgentAccessTokens', { tokenAlias: 'a', tokenEnabled: 1, more: 1 });
    expect([created.status, Object.keys(created.body)]).toEqual([201, ['data']]);
  });
});

test('the documentation describes warnings of searches and problems of errors', async () => {
  const { body } = await service.request('GET', '/api/v2/openapi.json', {});
  const members = (path: string, method: string) =>
    Object.keys(
      body.paths[path][method].responses['200'].content['application/json'].schema.properties as object,
    );
  const searches = Object.keys(body.paths).filter((path) => path.endsWith('/search'));
  expect(searches.length).toBeGreaterThan(20);
  for (const path of searches) expect([path, members(path, 'post')[0]]).toEqual([path, 'warnings']);
  expect(members('/api/v2/AuditLogs', 'get')).toEqual(['data']);
  expect(body.components.schemas.Error.properties.problems.items.required).toEqual(['field', 'message']);
});
