import { homedir } from 'node:os';
import { GuardedOutbound } from '@vedette/server/outbound/guarded-outbound';
import { collectTargets } from '../collecting/collect-targets.ts';
import { serverOptions } from '../collecting/server-options.ts';
import type { Command, Invocation, Option, OptionValues } from '../command.ts';
import { UsageError } from '../usage-error.ts';

const share = {
  type: 'string',
  value: 'SHARE',
  description: 'share of the documented call rates to use, from 0.01 to 1; default: 0.2',
} as const satisfies Option;
const options = { ...serverOptions, share };

const aws: Command = {
  words: ['collect', 'aws'],
  positionals: [],
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
    ...options,
  },
  summary: 'Reads the resources of an AWS account with your own credentials and sends them to the server.',
  run: (invocation) =>
    collectTargets('aws', invocation, shareOf(invocation.options), async (deps, signal) => {
      const { localAwsTargets } = await import('@vedette/server/collect/aws/local-targets');
      const { profile, organization, role, 'external-id': externalId } = stringsOf(invocation);
      const member = { roleName: role ?? 'vedette-collector', ...(externalId && { externalId }) };
      return localAwsTargets(
        { ...deps, environment: process.env },
        {
          profile,
          regions: listOf(invocation.options.regions),
          ...(organization && { organization: member }),
        },
        signal,
      );
    }),
};

const gcp: Command = {
  words: ['collect', 'gcp'],
  positionals: [],
  options: {
    parents: {
      type: 'string',
      value: 'LIST',
      description:
        'projects/ID, folders/NUMBER or organizations/NUMBER, separated by commas; default: the project of gcloud',
    },
    organization: { type: 'boolean', description: 'all organizations that the credentials may see' },
    ...options,
  },
  summary: 'Reads the resources of Google Cloud with your own credentials and sends them to the server.',
  run: (invocation) =>
    collectTargets('gcp', invocation, shareOf(invocation.options), async (deps, signal) => {
      const { localGcpTargets } = await import('@vedette/server/collect/gcp/local-targets');
      const parents = listOf(invocation.options.parents);
      return localGcpTargets(
        {
          ...{
            environment: process.env,
            home: homedir(),
            metadata: new GuardedOutbound({ allowsPrivate: true }),
          },
          ...(parents && { parents }),
          ...(invocation.options.organization && { isOrganization: true }),
        },
        deps,
        signal,
      );
    }),
};

const azure: Command = {
  words: ['collect', 'azure'],
  positionals: [],
  options: {
    tenant: { type: 'string', value: 'ID', description: 'only this tenant' },
    subscriptions: {
      type: 'string',
      value: 'LIST',
      description: 'only these subscriptions, separated by commas; default: all that the credentials see',
    },
    ...options,
  },
  summary: 'Reads the resources of Azure with your own credentials and sends them to the server.',
  run: (invocation) =>
    collectTargets('azure', invocation, shareOf(invocation.options), async (deps, signal) => {
      const { localAzureTargets } = await import('@vedette/server/collect/azure/targets');
      const subscriptions = listOf(invocation.options.subscriptions);
      const { tenant } = stringsOf(invocation);
      const metadata = new GuardedOutbound({ allowsPrivate: true });
      return localAzureTargets(
        {
          environment: process.env,
          metadata,
          ...(tenant && { tenant }),
          ...(subscriptions && { subscriptions }),
        },
        deps,
        signal,
      );
    }),
};

const k8s: Command = {
  words: ['collect', 'k8s'],
  positionals: [],
  options: {
    contexts: {
      type: 'string',
      value: 'LIST',
      description:
        'contexts of the kubeconfig, separated by commas; default: the current one, or the own cluster',
    },
    ...options,
  },
  summary:
    'Reads the objects of a Kubernetes cluster with your own credentials and sends them to the server.',
  run: (invocation) =>
    collectTargets('k8s', invocation, shareOf(invocation.options), async (deps, signal) => {
      const { localK8sTargets } = await import('@vedette/server/collect/k8s/targets');
      const contexts = listOf(invocation.options.contexts);
      return localK8sTargets(deps, { environment: process.env, ...(contexts && { contexts }) }, signal);
    }),
};

function stringsOf({ options }: Invocation): Record<string, string | undefined> {
  return options as Record<string, string | undefined>;
}

function listOf(value: OptionValues[string]): string[] | undefined {
  return typeof value === 'string' ? value.split(',').filter((one) => one !== '') : undefined;
}

function shareOf({ share: given = process.env.VEDETTE_COLLECT_SHARE ?? '0.2' }: OptionValues): number {
  const number = Number(given);
  if (number >= 0.01 && number <= 1) return number;
  throw new UsageError(`--share must be a number from 0.01 to 1, not '${given}'.`);
}

export const collectCommands = [aws, gcp, azure, k8s];
