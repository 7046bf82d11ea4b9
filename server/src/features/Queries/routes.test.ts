import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
});
afterAll(() => service.stop());

const request = (method: string, path: string, body?: unknown) =>
  service.request(method, `/api/v2/${path}`, { token, body });
const builtIn = 'LW_Global_AWS_CTA_AccessKeyDeleted';
const text =
  '--- ends with a line break\nMine {\n  source { CloudTrailRawEvents }\n  return { INSERT_ID }\n}\n';
const other = '{ source { LW_HE_FILES } return { PATH } }';
const otherSchema = [{ name: 'PATH', dataType: 'String', description: expect.any(String) }];
let count = 0;
const create = async (rest: object = {}) => {
  const created = await request('POST', 'Queries', { queryId: `Q_${++count}`, queryText: text, ...rest });
  expect([created.status, created.body.message]).toEqual([201, undefined]);
  return created.body.data;
};

describe('a query', () => {
  test('is returned byte for byte, with its creator and creation time', async () => {
    const created = await create({
      queryName: 'Mine',
      description: 'd',
      usageContext: {},
      evaluatorId: 'Cloudtrail',
    });
    expect(created).toEqual({
      queryId: `Q_${count}`,
      queryText: text,
      queryName: 'Mine',
      description: 'd',
      evaluatorId: 'Cloudtrail',
      resultSchema: [{ name: 'INSERT_ID', dataType: 'Number', description: expect.any(String) }],
      owner: 'admin@local',
      lastUpdateTime: new Date(service.clock.now()).toISOString(),
      lastUpdateUser: 'admin@local',
    });
    expect((await request('GET', `Queries/${created.queryId}`)).body).toEqual({ data: created });
    expect((await request('GET', 'Queries')).body.data).toContainEqual(created);
  });

  test('keeps its text unchanged and can be created again from its record', async () => {
    const strings = fc.string({ unit: 'grapheme', maxLength: 300 });
    const usable = strings.filter((sample) => !sample.includes('\0') && !sample.includes('*/'));
    await fc.assert(
      fc.asyncProperty(usable, async (comment) => {
        const queryText = `/*${comment}*/${text}`;
        const { queryId } = await create({ queryText });
        const read = (await request('GET', `Queries/${queryId}`)).body.data;
        expect(read.queryText).toBe(queryText);
        expect((await request('DELETE', `Queries/${queryId}`)).status).toBe(204);
        const again = await request('POST', 'Queries', read);
        expect([again.status, again.body.data]).toEqual([201, read]);
      }),
      { numRuns: 25 },
    );
  });

  test('that already exists is rejected with the message that clients expect, also if it is built in', async () => {
    const { queryId } = await create();
    for (const id of [queryId, builtIn]) {
      const again = await request('POST', 'Queries', { queryId: id, queryText: text });
      expect(again.status).toBe(409);
      expect(again.body.message).toContain(`Query id ${id} already exists`);
    }
  });

  test('is created once by concurrent requests', async () => {
    const body = { queryId: 'Q_race', queryText: text };
    const responses = await Promise.all([1, 2, 3].map(() => request('POST', 'Queries', body)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  test('that does not exist is 404 with its id', async () => {
    for (const [method, body] of [['GET'], ['PATCH', { queryText: text }], ['DELETE']] as const) {
      const response = await request(method, 'Queries/Q_none', body);
      expect([response.status, response.body.message]).toEqual([404, 'Query id Q_none not found.']);
    }
  });

  test.each([
    [{ queryId: undefined }, 'queryId is required'],
    [{ queryId: 'a b' }, 'queryId'],
    [{ queryId: 'execute' }, 'queryId'],
    [{ queryText: undefined }, 'queryText is required'],
    [{ queryText: ' ' }, 'queryText'],
    [{ queryText: 'x'.repeat(72_001) }, 'queryText'],
    [{ queryName: 7 }, 'queryName'],
  ])('is rejected with %j', async (invalid, message) => {
    const response = await request('POST', 'Queries', { queryId: 'Q_wrong', queryText: text, ...invalid });
    expect(response.status).toBe(400);
    expect(response.body.message).toContain(message);
  });

  test('is updated member by member; null and an empty context are ignored', async () => {
    const created = await create({ description: 'old', usageContext: { policies: ['a'] } });
    service.clock.advance(1_000);
    const changed = await request('PATCH', `Queries/${created.queryId}`, {
      ...{ queryText: other, queryName: null, usageContext: {} },
    });
    expect([changed.status, changed.body.data]).toEqual([
      200,
      {
        ...created,
        queryText: other,
        resultSchema: otherSchema,
        lastUpdateTime: new Date(service.clock.now()).toISOString(),
      },
    ]);
  });

  test('keeps concurrent updates of different members', async () => {
    const { queryId } = await create();
    await Promise.all(
      [{ queryText: other }, { queryName: 'n' }, { description: 'd' }, { evaluatorId: 'e' }].map((body) =>
        request('PATCH', `Queries/${queryId}`, body),
      ),
    );
    expect((await request('GET', `Queries/${queryId}`)).body.data).toMatchObject({
      ...{ queryText: other, queryName: 'n', description: 'd', evaluatorId: 'e' },
    });
  });

  test('used by a policy cannot be deleted before the policy', async () => {
    const { queryId } = await create();
    const policy = await request('POST', 'Policies', {
      ...{ queryId, title: 'T', description: '', remediation: '', severity: 'low' },
      ...{ enabled: true, alertEnabled: false },
    });
    const { policyId } = policy.body.data;
    const rejected = await request('DELETE', `Queries/${queryId}`);
    expect([rejected.status, rejected.body.message]).toEqual([
      409,
      `Query id ${queryId} is used by ${policyId}: delete or change these policies first.`,
    ]);
    expect((await request('DELETE', `Policies/${policyId}`)).status).toBe(204);
    expect((await request('DELETE', `Queries/${queryId}`)).status).toBe(204);
    expect((await request('GET', `Queries/${queryId}`)).status).toBe(404);
  });

  test('and its policy remain consistent under concurrent creation and deletion', async () => {
    for (let round = 0; round < 10; round++) {
      const { queryId } = await create();
      const [created, deleted] = await Promise.all([
        request('POST', 'Policies', {
          ...{ queryId, title: 'T', description: '', remediation: '', severity: 'low' },
          ...{ enabled: true, alertEnabled: false },
        }),
        request('DELETE', `Queries/${queryId}`),
      ]);
      expect([[created.status, deleted.status]]).toContainEqual(
        created.status === 201 ? [201, 409] : [400, 204],
      );
    }
  });

  test('is in the audit log with the changed members', async () => {
    const { queryId } = await create();
    await request('PATCH', `Queries/${queryId}`, { description: 'secret plan' });
    await request('DELETE', `Queries/${queryId}`);
    const { data } = (await request('GET', 'AuditLogs')).body;
    const entries = data
      .map(({ eventDescription }: { eventDescription: string }) => eventDescription)
      .filter((entry: string) => entry.includes(`${queryId}`) && !entry.includes('Policy'));
    expect(entries.sort()).toEqual([
      `Query Created by admin@local: ${queryId}`,
      `Query Deleted by admin@local: ${queryId}`,
      `Query Updated by admin@local: ${queryId}: description`,
    ]);
  });
});

describe('built-in queries', () => {
  test('have the owner that clients filter by, and cannot be updated', async () => {
    const { data } = (await request('GET', 'Queries')).body;
    const builtInQueries = data.filter(({ owner }: { owner: string }) => owner === 'Lacework');
    expect(builtInQueries.length).toBeGreaterThan(10);
    const one = (await request('GET', `Queries/${builtIn}`)).body.data;
    expect(builtInQueries).toContainEqual(one);
    expect(one).toMatchObject({ queryId: builtIn, owner: 'Lacework', lastUpdateUser: 'Lacework' });
    expect(one.queryText).toContain('INSERT_ID');
    expect(one.resultSchema.map(({ name }: { name: string }) => name)).toEqual([
      ...['INSERT_ID', 'INSERT_TIME', 'EVENT_TIME', 'EVENT'],
    ]);
    for (const [method, body] of [['PATCH', { queryText: other }], ['DELETE']] as const) {
      const rejected = await request(method, `Queries/${builtIn}`, body);
      expect([rejected.status, rejected.body.message]).toEqual([
        409,
        `Query id ${builtIn} is built in and can not be changed or deleted: create another query.`,
      ]);
    }
  });

  test('end without a line break, while custom queries are kept byte for byte', async () => {
    const { data } = (await request('GET', 'Queries')).body;
    const shipped = data.filter(({ owner }: { owner: string }) => owner === 'Lacework');
    for (const { queryId, queryText } of shipped) expect(queryText, queryId).toMatch(/^\{[\s\S]*\}$/);
    const { queryId } = await create({ queryText: `${other}\n\n` });
    expect((await request('GET', `Queries/${queryId}`)).body.data.queryText).toBe(`${other}\n\n`);
  });

  test.each([
    ['LW_Global_AWS_CTA_CloudTrailChange', 'Violation', 'INSERT_ID'],
    ['LW_Global_AWS_Config_S3BucketLoggingNotEnabled', 'Compliance', 'RESOURCE_KEY'],
  ])(
    '%s, which examples of clients use, has no built-in policy and can be used by a custom one',
    async (queryId, policyType, column) => {
      const { data } = (await request('GET', `Queries/${queryId}`)).body;
      expect(data).toMatchObject({ queryId, owner: 'Lacework', lastUpdateUser: 'Lacework' });
      expect(data.resultSchema).toContainEqual(expect.objectContaining({ name: column }));
      expect((await request('POST', `Queries/${queryId}/execute`, {})).status).toBe(200);
      const created = await request('POST', 'Policies', {
        ...{ queryId, policyType, title: 'T', description: 'D', remediation: 'R', severity: 'High' },
        ...{ enabled: true, alertEnabled: false },
      });
      expect([created.status, created.body.message, created.body.data?.queryId]).toEqual([
        201,
        undefined,
        queryId,
      ]);
      expect((await request('DELETE', `Policies/${created.body.data.policyId}`)).status).toBe(204);
    },
  );

  test('do not replace a custom query with the same id that was created earlier', async () => {
    const id = 'LW_Global_AWS_CTA_CloudTrailChange';
    const { queryId } = await create({ queryText: other });
    // As stored by an earlier release.
    await service.store.housekeeping((tx) =>
      tx.updateTable('queries').set({ id }).where('id', '=', queryId).execute(),
    );
    const own = (await request('GET', `Queries/${id}`)).body.data;
    expect([own.owner, own.queryText]).toEqual(['admin@local', other]);
    const { data } = (await request('GET', 'Queries')).body;
    expect(data.filter((query: { queryId: string }) => query.queryId === id)).toEqual([own]);
    expect((await request('PATCH', `Queries/${id}`, { description: 'mine' })).status).toBe(200);
    expect((await request('DELETE', `Queries/${id}`)).status).toBe(204);
    expect((await request('GET', `Queries/${id}`)).body.data.owner).toBe('Lacework');
  });

  test('and custom queries are returned by one search', async () => {
    const { queryId } = await create({ description: 'needle' });
    const search = async (...filters: object[]) =>
      (await request('POST', 'Queries/search', { filters, returns: ['queryId'] })).body.data;
    expect(await search({ field: 'description', expression: 'eq', value: 'needle' })).toEqual([{ queryId }]);
    const both = await search({ field: 'queryId', expression: 'in', values: [queryId, builtIn] });
    expect(both).toEqual([{ queryId: builtIn }, { queryId }]);
    expect(await search({ field: 'owner', expression: 'eq', value: 'nobody' })).toEqual([]);
    const rejected = await request('POST', 'Queries/search', {
      filters: [{ field: 'mood', expression: 'eq', value: 'good' }],
    });
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining('Invalid field')]);
  });
});
