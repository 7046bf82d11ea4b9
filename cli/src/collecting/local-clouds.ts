import { homedir } from 'node:os';
import type { Cloud, CollectDeps, Discovery } from '@vedette/server/collect/inventory/cloud';
import { GuardedOutbound } from '@vedette/server/outbound/guarded-outbound';
import type { Option, OptionValues } from '../command.ts';
import { UsageError } from '../usage-error.ts';

export type Discover = (deps: CollectDeps, signal: AbortSignal) => Promise<Discovery>;

/** A cloud that is read with the credentials of the user's own tools. */
export interface LocalCloud {
  readonly cloud: Cloud;
  /** What is read, for people. */
  readonly noun: string;
  /** Which part of it is read. */
  readonly options: Readonly<Record<string, Option>>;
  discover(options: OptionValues): Discover;
}

/** The option for the rate of calls. */
export const shareOption = {
  type: 'string',
  value: 'SHARE',
  description: 'share of the documented call rates to use, from 0.01 to 1; default: 0.2',
} as const satisfies Option;

const aws: LocalCloud = {
  cloud: 'aws',
  noun: 'the resources of an AWS account',
  options: {
    profile: { type: 'string', value: 'NAME', description: 'profile of the AWS configuration files' },
    regions: { type: 'string', value: 'LIST', description: 'only these regions, separated by commas' },
    organization: {
      type: 'boolean',
      description: 'all accounts of the AWS organization, through --role in each',
    },
    role: {
      type: 'string',
      value: 'NAME',
      description: 'role in the member accounts; default: vedette-collector',
    },
    'external-id': { type: 'string', value: 'ID', description: 'external id of that role' },
  },
  discover: (options) => async (deps, signal) => {
    const { localAwsTargets } = await import('@vedette/server/collect/aws/local-targets');
    const { profile, organization, role, 'external-id': externalId } = stringsOf(options);
    const member = { roleName: role ?? 'vedette-collector', ...(externalId && { externalId }) };
    return localAwsTargets(
      { ...deps, environment: process.env },
      { profile, regions: listOf(options.regions), ...(organization && { organization: member }) },
      signal,
    );
  },
};

const gcp: LocalCloud = {
  cloud: 'gcp',
  noun: 'the resources of Google Cloud',
  options: {
    parents: {
      type: 'string',
      value: 'LIST',
      description:
        'projects/ID, folders/NUMBER or organizations/NUMBER, separated by commas; default: the project of gcloud',
    },
    organization: { type: 'boolean', description: 'all organizations that the credentials may see' },
  },
  discover: (options) => async (deps, signal) => {
    const { localGcpTargets } = await import('@vedette/server/collect/gcp/local-targets');
    const parents = listOf(options.parents);
    return localGcpTargets(
      {
        ...{ environment: process.env, home: homedir() },
        metadata: new GuardedOutbound({ allowsPrivate: true }),
        ...(parents && { parents }),
        ...(options.organization && { isOrganization: true }),
      },
      deps,
      signal,
    );
  },
};

const azure: LocalCloud = {
  cloud: 'azure',
  noun: 'the resources of Azure',
  options: {
    tenant: { type: 'string', value: 'ID', description: 'only this tenant' },
    subscriptions: {
      type: 'string',
      value: 'LIST',
      description: 'only these subscriptions, separated by commas; default: all that the credentials see',
    },
  },
  discover: (options) => async (deps, signal) => {
    const { localAzureTargets } = await import('@vedette/server/collect/azure/targets');
    const subscriptions = listOf(options.subscriptions);
    const { tenant } = stringsOf(options);
    return localAzureTargets(
      {
        environment: process.env,
        metadata: new GuardedOutbound({ allowsPrivate: true }),
        ...(tenant && { tenant }),
        ...(subscriptions && { subscriptions }),
      },
      deps,
      signal,
    );
  },
};

const k8s: LocalCloud = {
  cloud: 'k8s',
  noun: 'the objects of a Kubernetes cluster',
  options: {
    contexts: {
      type: 'string',
      value: 'LIST',
      description:
        'contexts of the kubeconfig, separated by commas; default: the current one, or the own cluster',
    },
  },
  discover: (options) => async (deps, signal) => {
    const { localK8sTargets } = await import('@vedette/server/collect/k8s/targets');
    const contexts = listOf(options.contexts);
    return localK8sTargets(deps, { environment: process.env, ...(contexts && { contexts }) }, signal);
  },
};

export const localClouds: readonly LocalCloud[] = [aws, gcp, azure, k8s];

export function shareOf({ share: given = process.env.VEDETTE_COLLECT_SHARE ?? '0.2' }: OptionValues): number {
  const number = Number(given);
  if (number >= 0.01 && number <= 1) return number;
  throw new UsageError(`--share must be a number from 0.01 to 1, not '${given}'.`);
}

function stringsOf(options: OptionValues): Record<string, string | undefined> {
  return options as Record<string, string | undefined>;
}

function listOf(value: OptionValues[string]): string[] | undefined {
  return typeof value === 'string' ? value.split(',').filter((one) => one !== '') : undefined;
}
