import { createTestPlace, type TestPlace } from '@vedette/server/testing/database';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { Program } from '../program.sample.ts';

vi.setConfig({ testTimeout: 300_000 });

// No server is needed: permissions are asked for before there is one.
let installation: TestPlace;
let program: Program;
beforeAll(async () => {
  installation = await createTestPlace();
  program = new Program(installation);
});
afterAll(() => installation.remove());

test('of AWS are policy documents that fit managed policies', async () => {
  const documents = await program.data('permissions aws');
  const actions = documents.flatMap(({ Statement }: { Statement: { Action: string[] }[] }) =>
    Statement.flatMap(({ Action }) => Action),
  );
  expect(actions).toEqual(expect.arrayContaining(['ec2:DescribeInstances', 's3:ListAllMyBuckets']));
  expect(actions).not.toContain('sts:AssumeRole');
  const text = await program.output('permissions aws');
  expect(
    text
      .trim()
      .split('\n\n')
      .map((one) => JSON.parse(one)),
  ).toEqual(documents);
});

test('of an AWS organization include the role of its members', async () => {
  const words = 'permissions aws --organization --role reader --partition aws-us-gov';
  expect((await program.data(words)).at(-1).Statement).toContainEqual({
    ...{ Sid: 'VedetteMembers', Effect: 'Allow', Action: ['sts:AssumeRole'] },
    Resource: 'arn:aws-us-gov:iam::*:role/reader',
  });
  const terraform = await program.output(`${words} --terraform`);
  expect(terraform).toContain('resource "aws_cloudformation_stack_set" "vedette"');
  expect(terraform).toContain('name               = "reader"');
});

test.each<[string, string, string]>([
  ['gcp', 'cloudasset.assets.listResource', 'resource "google_service_account" "vedette"'],
  ['azure', 'Microsoft.Storage/storageAccounts/read', 'resource "azuread_application" "vedette"'],
  ['k8s', 'resources: ["namespaces"', 'resource "kubernetes_cluster_role_v1" "vedette_collector"'],
])('of %s are listed for people, for programs and for Terraform', async (cloud, right, resource) => {
  expect(await program.output(`permissions ${cloud}`)).toContain(right);
  const terraform = await program.output(`permissions ${cloud} --terraform`);
  expect(terraform).toContain(resource);
  expect(await program.data(`permissions ${cloud} --terraform`)).toEqual({ terraform });
});

test('of Kubernetes can be applied', async () => {
  const manifests = (await program.output('permissions k8s')).split('---\n').map((one) => parse(one));
  expect(manifests.map(({ kind, metadata }) => [kind, metadata.name])).toEqual([
    ['ClusterRole', 'vedette-collector'],
    ['Role', 'vedette-collector'],
    ['ClusterRole', 'vedette-collector-sensitive'],
  ]);
  expect((await program.data('permissions k8s'))[0].rules).toEqual(manifests[0].rules);
});

test('names options with a wrong value', async () => {
  expect(await program.errorOutput(['permissions', 'aws', '--role', 'a"b'])).toBe(
    `--role must have 1 to 64 of the characters A-Z a-z 0-9 + = , . @ _ -, not 'a"b'.\n`,
  );
  expect(await program.errorOutput('permissions aws --partition moon')).toBe(
    `--partition must be aws, aws-us-gov, aws-cn, not 'moon'.\n`,
  );
});
