import { importAzureGraph } from '@vedette/server/collect/azure/graph-import';
import { AssetImport } from '@vedette/server/collect/gcp/asset-import';
import type { Cloud } from '@vedette/server/collect/inventory/cloud';
import type { Reading } from '@vedette/server/collect/inventory/reading';
import { importedK8s } from '@vedette/server/collect/k8s/import';
import type { CloudState } from '@vedette/server/simulate/clouds/clouds';
import type { Company } from '@vedette/server/simulate/company/company';
import type { Resource } from '@vedette/server/telemetry/resource';
import { simulatedAwsReadings } from './aws-readings.ts';

export interface SimulatedTarget {
  readonly cloud: Cloud;
  readonly cloudAccount: string;
  readonly readings: readonly Reading[];
}

/** The cloud accounts of the company, to be read as collectors read theirs. */
export async function simulatedTargets(company: Company, state: CloudState): Promise<SimulatedTarget[]> {
  const { cloud, domain } = company;
  const account = { id: cloud.accountId, alias: cloud.accountAlias, partition: 'aws', organization: '' };
  const cluster = `arn:aws:eks:${cloud.region}:${cloud.accountId}:cluster/${cloud.cluster}`;
  return [
    {
      ...{ cloud: 'aws', cloudAccount: account.id },
      readings: await simulatedAwsReadings(state.aws, account, cloud.regions),
    },
    await googleTarget(state.assets),
    ...(await azureTargets(state.rows, domain)),
    {
      ...{ cloud: 'k8s', cloudAccount: cluster },
      readings: readingsOf(importedK8s(state.objects, { id: cluster, type: 'EKS' }).resources),
    },
  ];
}

async function googleTarget(assets: readonly unknown[]): Promise<SimulatedTarget> {
  const lines = assets.map((asset) => JSON.stringify(asset));
  const read = await AssetImport.open(() => lines);
  const kinds = new Map<string, Resource[]>();
  for await (const { kind, resource } of read.resources()) add(kinds, kind, resource);
  return { cloud: 'gcp', cloudAccount: read.parent, readings: readingsOf(kinds) };
}

async function azureTargets(rows: readonly unknown[], tenant: string): Promise<SimulatedTarget[]> {
  const { kinds } = await importAzureGraph(rows);
  const accounts = new Set(kinds.map(({ cloudAccount }) => cloudAccount));
  return [...accounts].map((cloudAccount) => {
    const own = kinds.filter((one) => one.cloudAccount === cloudAccount);
    const named = own.map(
      ({ kind, resources }) => [kind, resources.map((one) => inTenant(one, tenant))] as const,
    );
    return { cloud: 'azure', cloudAccount, readings: readingsOf(new Map(named)) };
  });
}

/** Rows do not have the name of their tenant. */
function inTenant(resource: Resource, name: string): Resource {
  return { ...resource, facts: { ...resource.facts, TENANT_NAME: name } };
}

/** One reading for each kind; none of these kinds is asked by region. */
function readingsOf(kinds: ReadonlyMap<string, readonly Resource[]>): Reading[] {
  return [...kinds].map(([kind, resources]) => ({
    ...{ id: kind, service: kind, region: 'global', kinds: [kind] },
    async read(output) {
      for (const resource of resources) await output.add(kind, resource);
    },
  }));
}

function add(kinds: Map<string, Resource[]>, kind: string, resource: Resource): void {
  const known = kinds.get(kind);
  if (known) known.push(resource);
  else kinds.set(kind, [resource]);
}
