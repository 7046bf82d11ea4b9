import { AzureScope } from '@vedette/server/collect/azure/scope';
import type { Cloud } from '@vedette/server/collect/inventory/cloud';
import type { Reading } from '@vedette/server/collect/inventory/reading';
import { azureTenant, subscriptionsOf } from '@vedette/server/simulate/clouds/azure/tenant';
import type { CloudState } from '@vedette/server/simulate/clouds/clouds';
import type { Company } from '@vedette/server/simulate/company/company';
import { simulatedAwsReadings } from './aws-readings.ts';
import { simulatedAzureReadings } from './azure-readings.ts';
import { simulatedGcpReadings } from './gcp-readings.ts';
import { simulatedK8sReadings } from './k8s-readings.ts';
import { nothingDenied } from './permission.ts';

export interface SimulatedTarget {
  readonly cloud: Cloud;
  readonly cloudAccount: string;
  readonly readings: readonly Reading[];
}

/** The cloud accounts of the company, to be read as collectors read theirs. */
export async function simulatedTargets(
  company: Company,
  state: CloudState,
  denied = nothingDenied,
): Promise<SimulatedTarget[]> {
  const { cloud, domain } = company;
  const account = { id: cloud.accountId, alias: cloud.accountAlias, partition: 'aws', organization: '' };
  const organization = `organizations/${cloud.organizationId}`;
  const cluster = `arn:aws:eks:${cloud.region}:${cloud.accountId}:cluster/${cloud.cluster}`;
  const tenant = { id: azureTenant(company), name: domain };
  const scopes = [
    new AzureScope(tenant),
    ...subscriptionsOf(company).map(({ id, name }) => new AzureScope(tenant, { id, name })),
  ];
  return [
    {
      ...{ cloud: 'aws', cloudAccount: account.id },
      readings: await simulatedAwsReadings(state.aws, account, cloud.regions, denied),
    },
    {
      ...{ cloud: 'gcp', cloudAccount: organization },
      readings: await simulatedGcpReadings(state.gcp, organization, denied),
    },
    ...(await Promise.all(
      scopes.map(async (scope) => ({
        ...{ cloud: 'azure' as const, cloudAccount: scope.cloudAccount },
        readings: await simulatedAzureReadings(state.azure, scope, denied),
      })),
    )),
    {
      ...{ cloud: 'k8s', cloudAccount: cluster },
      readings: simulatedK8sReadings(state.k8s, { id: cluster, type: 'EKS' }, denied),
    },
  ];
}
