import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
});
afterAll(() => service.stop());

const request = (method: string, path: string, body: unknown) =>
  service.request(method, `/api/v2/Queries${path}`, { token, body });
const validate = (queryText: string, rest: object = {}) =>
  request('POST', '/validate', { queryText, ...rest });
const text = `--- keys
Mine {
  source { LW_CFG_AWS_IAM_USERS u, array_to_rows(u.RESOURCE_CONFIG:Keys) as (k) }
  return distinct { ARN, k, length(ARN) as SIZE, BATCH_END_TIME }
}
`;

describe('a valid query', () => {
  test('is returned with its result columns and its name', async () => {
    const { status, body } = await validate(text, { evaluatorId: 'Cloudtrail' });
    expect([status, body]).toEqual([
      200,
      {
        data: {
          queryId: 'Mine',
          queryText: text,
          resultSchema: [
            { name: 'ARN', dataType: 'String', description: 'Amazon Resource Name.' },
            { name: 'k', dataType: 'JSON', description: '' },
            { name: 'SIZE', dataType: 'Number', description: '' },
            { name: 'BATCH_END_TIME', dataType: 'Timestamp', description: expect.stringMatching(/\.$/) },
          ],
          evaluatorId: 'Cloudtrail',
          warnings: [],
        },
      },
    ]);
  });

  test('may have no name, and may read datasources without rows', async () => {
    const { body } = await validate('{ source { LW_CE_IDENTITIES } return { NAME } }', { evaluatorId: null });
    expect(Object.keys(body.data)).toEqual(['queryText', 'resultSchema', 'warnings']);
  });

  test('is not saved', async () => {
    await validate(text);
    expect((await service.request('GET', '/api/v2/Queries/Mine', { token })).status).toBe(404);
  });

  test('is returned with warnings about likely mistakes', async () => {
    const suspicious = `{ source { LW_HE_FILES } filter { PATH != '/' } return { PATH } }`;
    const { status, body } = await validate(suspicious);
    expect([status, body.data.warnings]).toEqual([
      200,
      [expect.stringMatching(/^Warning: line 1, column 40, at != ?:? ?.*<>/)],
    ]);
  });
});

const invalid: readonly [name: string, text: string, ...lines: RegExp[]][] = [
  [
    'wrong names',
    '{\n  source { LW_HE_FILE }\n  return { PATH }\n}',
    /^Unable to translate due to: Line 2, column 12, at LW_HE_FILE: .*LW_HE_FILES/,
  ],
  [
    'several things at once',
    '{ source { LW_HE_FILES }\n filter { PTH = 1 }\n return { PATH, MIDD } }',
    /^Unable to translate due to: Line 2, column 11, at PTH: .*PATH/,
    /^Line 3, column 17, at MIDD: .*MID/,
  ],
  [
    'the old dialect',
    'Q(LW_HE_FILES f) { SELECT PATH LIMIT 5 }',
    /^Unable to translate due to: Line 1, column .*old/i,
  ],
  [
    'an end that is missing',
    '{ source { LW_HE_FILES } return { PATH',
    /^Unable to translate due to: Line 1, column \d+, at \{: .* not closed/,
  ],
  [
    'unrelated datasources',
    '{ source { LW_HE_FILES with CloudTrailRawEvents } return { PATH } }',
    /^Unable to translate due to: .*Cannot find defined relationships/,
  ],
];

describe('an invalid query', () => {
  test.each(invalid)('is rejected for %s, with all positions', async (_, queryText, ...lines) => {
    const { status, body } = await validate(queryText);
    expect([status, body.code]).toEqual([400, 'INVALID_QUERY']);
    const messages = body.message.split('\n');
    expect(messages).toHaveLength(lines.length);
    for (const [index, line] of lines.entries()) expect(messages[index]).toMatch(line);
  });

  test.each(invalid)('with %s is neither saved nor executed, with the same message', async (_, queryText) => {
    const { message } = (await validate(queryText)).body;
    await request('POST', '', { queryId: 'Right', queryText: text });
    for (const response of [
      await request('POST', '', { queryId: 'Wrong', queryText }),
      await request('PATCH', '/Right', { queryText }),
      await request('POST', '/execute', { query: { queryText } }),
    ])
      expect([response.status, response.body.message]).toEqual([400, message]);
    expect((await service.request('GET', '/api/v2/Queries/Wrong', { token })).status).toBe(404);
    const unchanged = await service.request('GET', '/api/v2/Queries/Right', { token });
    expect(unchanged.body.data.queryText).toBe(text);
  });

  test('is rejected with a message of limited length', async () => {
    const columns = Array.from({ length: 2_000 }, (_, index) => `COLUMN_THAT_IS_NOT_THERE_${index}`);
    const { status, body } = await validate(`{ source { LW_HE_FILES } return { ${columns.join(', ')} } }`);
    expect(status).toBe(400);
    expect(body.message.length).toBeLessThan(5_000);
    expect(body.message).toMatch(/\nThere are \d+ more problems\.$/);
  });

  test.each([
    [{}, 'queryText is required'],
    [{ queryText: 7 }, 'queryText'],
    [{ queryText: '\n' }, 'queryText'],
  ])('is rejected with the body %j', async (body, message) => {
    const response = await request('POST', '/validate', body);
    expect([response.status, response.body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});
