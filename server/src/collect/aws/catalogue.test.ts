import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { shippedPacks } from '../../detection/packs/pack.ts';
import { describeAws, descriptionsOf, loadAwsServices } from './catalogue.ts';
import { awsReadings } from './plan.ts';
import { type AwsRead, type AwsService, allReads, isCustom } from './service.ts';
import type { AwsSession } from './session.ts';

const services = await loadAwsServices();
const catalogue = new Map(
  readFileSync(new URL('datasources/resources.tsv', shippedPacks()), 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([name = '', , call = '']) => [name, call]),
);
const readsOf = (service: AwsService): AwsRead[] =>
  service.reads.flatMap((read) => (isCustom(read) ? [] : [...allReads(read)]));

/** Members of an output which have a page token. */
const tokens = /^(next_?token|next_?marker|marker|position|continuation_?token)$/i;

describe('the declarations of AWS services', () => {
  test('fill datasources of the catalogue, by the call that the catalogue names', async () => {
    const wrong = services
      .flatMap((service) => [...descriptionsOf(service)])
      .filter(({ kind, call }) => catalogue.get(kind) !== call)
      .map(({ kind, call }) => `${kind}: ${call}, not ${catalogue.get(kind)}`);
    expect(wrong).toEqual([]);
    expect((await describeAws()).length).toBeGreaterThan(150);
  });

  test('describe each kind with its type and permissions', async () => {
    const kinds = await describeAws();
    for (const { kind, resourceType, permissions } of kinds) {
      expect(resourceType, kind).not.toBe('');
      if (kind !== 'LW_CFG_AWS_ACCOUNTS') expect(permissions, kind).not.toEqual([]);
    }
    expect(kinds.find(({ kind }) => kind === 'LW_CFG_AWS_EKS_DESCRIBE_NODEGROUP')).toEqual({
      kind: 'LW_CFG_AWS_EKS_DESCRIBE_NODEGROUP',
      service: 'EKS',
      call: 'describe-nodegroup',
      resourceType: 'eks:nodegroup',
      isGlobal: false,
      permissions: ['eks:ListClusters', 'eks:ListNodegroups', 'eks:DescribeNodegroup'],
      redactions: [],
    });
  });

  test('fill each kind in each region by one reading', () => {
    const session = { account: { partition: 'aws' } } as AwsSession;
    const readings = awsReadings(session, services, ['us-east-1', 'eu-west-1']);
    expect(new Set(readings.map(({ id }) => id)).size).toBe(readings.length);
    const scopes = readings.flatMap(({ kinds, region }) => kinds.map((kind) => `${kind} ${region}`));
    expect(scopes.filter((scope, index) => scopes.indexOf(scope) !== index)).toEqual([]);
    expect(new Set(services.map(({ prefix }) => prefix)).size).toBe(services.length);
  });

  test('call what their client packages have', async () => {
    for (const service of services) {
      const sdk = await service.load();
      expect(sdk[service.client], service.name).toBeTypeOf('function');
      const custom = service.reads.flatMap((read) => (isCustom(read) ? read.calls : []));
      const declared = readsOf(service).flatMap(({ call, tagging }) => [
        call,
        ...(tagging ? [tagging.call] : []),
      ]);
      for (const call of [...custom, ...declared])
        expect(sdk[`${call}Command`], `${service.name} ${call}`).toBeTypeOf('function');
    }
  });

  test('declare the page tokens of calls that the SDK does not page', async () => {
    for (const service of services) {
      const sdk = await service.load();
      for (const { call, paging } of readsOf(service)) {
        const output = outputMembers(sdk[`${call}$`]);
        const token = output.find((member) => tokens.test(member));
        const isPaged = `paginate${call}` in sdk || paging !== undefined;
        expect(isPaged || token === undefined, `${service.name} ${call} returns ${token}`).toBe(true);
        if (paging) expect(output, `${service.name} ${call}`).toContain(paging.output);
      }
    }
  });

  test('refer to members that outputs have', async () => {
    for (const service of services) {
      const sdk = await service.load();
      for (const { call, items, config } of readsOf(service)) {
        const [first] = (items ?? config ?? '').split('.');
        if (first) expect(outputMembers(sdk[`${call}$`]), `${service.name} ${call}`).toContain(first);
      }
    }
  });

  test('fill every datasource that a built-in policy or query reads', async () => {
    const packs = ['policies/', 'queries/'].map((folder) => new URL(folder, shippedPacks()));
    const queries = packs.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('query.lql'))
        .map((file) => readFileSync(new URL(file, folder), 'utf8')),
    );
    const read = new Set(queries.flatMap((query) => query.match(/\bLW_CFG_AWS_\w+/g) ?? []));
    expect(read.size).toBeGreaterThan(10);
    const filled = new Set((await describeAws()).map(({ kind }) => kind));
    expect([...read].filter((name) => !filled.has(name))).toEqual([]);
  });
});

/** The names of an operation's output, from the schema that the SDK ships. */
function outputMembers(operation: unknown): string[] {
  const [, , , , , output] = operation as unknown[];
  const schema = typeof output === 'function' ? (output as () => unknown[])() : (output as unknown[]);
  return (schema[4] ?? []) as string[];
}
