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

const ask = (method: string, path: string, body?: unknown) =>
  service.ask(method, `/api/v2/${path}`, { token, body });

/** Paths of the members whose values have a known shape, with an example of it. */
function shapedMembers(schema: SchemaNode, above: readonly string[] = []): [readonly string[], string][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = [...above, name];
    const [example] = member.pattern ? (member.examples ?? []) : [];
    return example === undefined ? shapedMembers(member, path) : [[path, example] as const];
  }) as [readonly string[], string][];
}

const shaped = integrationTypes.flatMap((type) =>
  shapedMembers(type.data as SchemaNode).map(
    ([path, example]) => [nameOf(type), path.join('.'), type, path, example] as const,
  ),
);

test('the names of every cloud are checked where integrations hold them', () => {
  const checked = new Set(shaped.map(([type, path]) => `${type}.${path}`));
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

describe.each(shaped)('%s', (name, member, type, path, example) => {
  test(`refuses a data.${member} of another shape on create and on update, with an example`, async () => {
    const [data] = fc.sample(integrationDataOf(type, { isComplete: true }), 1) as [Record<string, unknown>];
    const body = { name, type: type.type, enabled: 1, data };
    const made = await ask('POST', type.family, body);
    expect([made.status, made.body.message]).toEqual([201, undefined]);
    const { intgGuid } = made.body.data;
    for (const wrong of ['arn:foo:bar', '1234', 'not one']) {
      const given = { ...body, data: withMember(data, path, wrong) };
      for (const answer of [
        await ask('POST', type.family, given),
        await ask('PATCH', `${type.family}/${intgGuid}`, given),
      ]) {
        expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_INPUT']);
        expect(answer.body.message).toMatch(`data.${member} has an invalid value: '${wrong}'.`);
        expect(answer.body.message).toContain(`such as ${example}.`);
      }
    }
    expect((await ask('GET', `${type.family}/${intgGuid}`)).body.data).toEqual(made.body.data);
    expect((await ask('DELETE', `${type.family}/${intgGuid}`)).status).toBe(204);
  });
});

describe('the id of a Google Cloud project', () => {
  const credentials = { clientId: 'c', clientEmail: 'c@example.com', privateKey: 'k', privateKeyId: 'i' };
  const create = (type: string, data: object) =>
    ask('POST', 'CloudAccounts', { name: type, type, enabled: 1, data: { credentials, ...data } });

  test.each([
    ['GcpCfg', 'idType', 'id', {}],
    ['GcpAtSes', 'idType', 'id', { subscriptionName: 's' }],
    ['GcpAlPubSub', 'integrationType', 'projectId', { subscriptionName: 's', topicId: 't' }],
    ['GcpGkeAudit', 'integrationType', 'projectId', { subscriptionName: 's' }],
  ])(
    'is checked in %s where a project is meant, not where an organization is',
    async (type, level, id, rest) => {
      const refused = await create(type, { ...rest, [level]: 'PROJECT', [id]: '123456789012' });
      expect([refused.status, refused.body.message]).toEqual([
        400,
        `data.${id} has an invalid value: '123456789012'. It must be a Google Cloud project id such as example-project-123456, because data.${level} is PROJECT.`,
      ]);
      const made = await create(type, { ...rest, [level]: 'ORGANIZATION', [id]: '123456789012' });
      expect([made.status, made.body.message]).toEqual([201, undefined]);
      await ask('DELETE', `CloudAccounts/${made.body.data.intgGuid}`);
    },
  );
});

test('what messages show as an example is accepted', () => {
  for (const [kind, { pattern, examples }] of Object.entries(cloudNames))
    for (const example of examples) expect(example, kind).toMatch(new RegExp(`^(?:${pattern})$`));
});
