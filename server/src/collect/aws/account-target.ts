import type { CloudTarget } from '../inventory/cloud.ts';
import { CollectError } from '../inventory/problem.ts';
import { loadAwsServices } from './catalogue.ts';
import { awsAccount, callerIdentity, enabledRegions } from './identity.ts';
import { awsReadings } from './plan.ts';
import { type AwsAccess, AwsSession } from './session.ts';

export interface AwsTargetDeps extends AwsAccess {
  /** The account that is expected. */
  readonly id: string;
  readonly partition: string;
  /** For people: the name of the account in its organization. */
  readonly name?: string;
  /** Only these regions, if they are enabled. */
  readonly regions?: readonly string[] | undefined;
}

/** An AWS account as a target of collections. */
export function awsAccountTarget({ id, partition, name, regions, ...access }: AwsTargetDeps): CloudTarget {
  return {
    cloud: 'aws',
    cloudAccount: id,
    title: name ? `AWS account ${id} (${name})` : `AWS account ${id}`,
    async readings(signal) {
      const identity = await callerIdentity(access, partition, signal);
      if (identity.id !== id)
        throw new CollectError({
          status: 'failed',
          reason: `The credentials are those of AWS account ${identity.id}, not of ${id}: correct the role or the account.`,
        });
      const session = new AwsSession({ ...access, account: await awsAccount(access, identity, signal) });
      const enabled = await enabledRegions(session, signal);
      const asked = enabled.filter((region) => !regions || regions.includes(region));
      return awsReadings(session, await loadAwsServices(), asked);
    },
  };
}
