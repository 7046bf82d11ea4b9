import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloudNames } from '../integrations/cloud-names.ts';
import { nameOf } from '../integrations/declaration.ts';
import {
  integrationDataOf,
  integrationTypes,
  type SchemaNode,
  withMember,
} from '../testing/integration-data.ts';
import { TestService } from '../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
});
afterAll(() => service.stop());

const request = (method: string, path: string, body?: unknown) =>
  service.request(method, `/api/v2/${path}`, { token, body });

/** Paths of the members with a pattern, each with an example. */
function membersWithPattern(
  schema: SchemaNode,
  parents: readonly string[] = [],
): [readonly string[], string][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = [...parents, name];
    const [example] = member.pattern ? (member.examples ?? []) : [];
    return example === undefined ? membersWithPattern(member, path) : [[path, example] as const];
  }) as [readonly string[], string][];
}

const patternMembers = integrationTypes.flatMap((type) =>
  membersWithPattern(type.data as SchemaNode).map(
    ([path, example]) => [nameOf(type), path.join('.'), type, path, example] as const,
  ),
);

test('integration settings check the identifiers of every cloud provider', () => {
  const checked = new Set(patternMembers.map(([type, path]) => `${type}.${path}`));
  for (const member of [
    'AwsCfg.crossAccountCredentials.roleArn',
    'AwsCfg.awsAccountId',
    'AwsUsGovCfg.accessKeyCredentials.accountId',
    'AwsEksAudit.snsArn',
    'AwsSidekick.bucketArn',
    'AWS_ECR.crossAccountCredentials.roleArn',
    'AwsS3.s3CrossAccountCredentials.bucketArn',
    'CloudwatchEb.eventBusArn',
    'AzureCfg.tenantId',
    'AzureSidekick.scanningSubscriptionId',
    'GcpSidekick.scanningProjectId',
    'GcpPubsub.projectId',
  ])
    expect(checked, member).toContain(member);
});

describe.each(patternMembers)('%s', (name, member, type, path, example) => {
  test(`rejects an invalid data.${member} on creation and update, with an example in the message`, async () => {
    const [data] = fc.sample(integrationDataOf(type, { isComplete: true }), 1) as [Record<string, unknown>];
    const body = { name, type: type.type, enabled: 1, data };
    const created = await request('POST', type.family, body);
    expect([created.status, created.body.message]).toEqual([201, undefined]);
    const { intgGuid } = created.body.data;
    for (const invalid of ['arn:foo:bar', '1234', 'not one']) {
      const input = { ...body, data: withMember(data, path, invalid) };
      for (const response of [
        await request('POST', type.family, input),
        await request('PATCH', `${type.family}/${intgGuid}`, input),
      ]) {
        expect([response.status, response.body.code]).toEqual([400, 'INVALID_INPUT']);
        expect(response.body.message).toMatch(`data.${member} has an invalid value: '${invalid}'.`);
        expect(response.body.message).toContain(`such as ${example}.`);
      }
    }
    expect((await request('GET', `${type.family}/${intgGuid}`)).body.data).toEqual(created.body.data);
    expect((await request('DELETE', `${type.family}/${intgGuid}`)).status).toBe(204);
  });
});

describe('a Google Cloud project id', () => {
  const credentials = { clientId: 'c', clientEmail: 'c@example.com', privateKey: 'k', privateKeyId: 'i' };
  const create = (type: string, data: object) =>
    request('POST', 'CloudAccounts', { name: type, type, enabled: 1, data: { credentials, ...data } });

  test.each([
    ['GcpCfg', 'idType', 'id', {}],
    ['GcpAtSes', 'idType', 'id', { subscriptionName: 's' }],
    ['GcpAlPubSub', 'integrationType', 'projectId', { subscriptionName: 's', topicId: 't' }],
    ['GcpGkeAudit', 'integrationType', 'projectId', { subscriptionName: 's' }],
  ])('is validated in %s at project level but not at organization level', async (type, level, id, rest) => {
    const rejected = await create(type, { ...rest, [level]: 'PROJECT', [id]: '123456789012' });
    expect([rejected.status, rejected.body.message]).toEqual([
      400,
      `data.${id} has an invalid value: '123456789012'. It must be a Google Cloud project id such as example-project-123456, because data.${level} is PROJECT.`,
    ]);
    const created = await create(type, { ...rest, [level]: 'ORGANIZATION', [id]: '123456789012' });
    expect([created.status, created.body.message]).toEqual([201, undefined]);
    await request('DELETE', `CloudAccounts/${created.body.data.intgGuid}`);
  });
});

test('the examples in messages match their pattern', () => {
  for (const [kind, { pattern, examples }] of Object.entries(cloudNames))
    for (const example of examples) expect(example, kind).toMatch(new RegExp(`^(?:${pattern})$`));
});
