import { azureActivity } from '../../telemetry/datasets/LW_ACT_AZURE_ACTIVITY.ts';
import type { Company } from '../company/company.ts';
import { isoTimestamp, millisecondsPerHour } from '../hour.ts';
import type { Random } from '../random.ts';
import type { Stream } from '../stream.ts';

const ordinary = [
  ['Microsoft.Compute/virtualMachines', 'start/action'],
  ['Microsoft.Compute/virtualMachines', 'write'],
  ['Microsoft.Storage/storageAccounts', 'listKeys/action'],
  ['Microsoft.Resources/deployments', 'write'],
] as const;

type Person = Company['people'][number];

/** The begin and the end of an operation. */
function* operation({ name, cloud }: Company, { email, address }: Person, instant: number, random: Random) {
  const [kind, action] = random.pick(ordinary);
  // Not drawn at random, so that the rest of the company stays as it is.
  const subscriptionId = `5f3759df-0000-4000-8000-${cloud.organizationId}`;
  const scope = `/subscriptions/${subscriptionId}/resourceGroups/${name}-rg/providers/${kind}/${name}`;
  const shared = {
    correlationId: random.hex(32),
    resourceId: scope.toUpperCase(),
    operationName: `${kind}/${action}`.toUpperCase(),
    category: 'Administrative',
    callerIpAddress: address,
    level: 'Information',
    location: 'westeurope',
    identity: {
      authorization: {
        scope,
        action: `${kind}/${action}`,
        evidence: { role: 'Contributor', principalType: 'User' },
      },
      claims: { name: email },
    },
    subscriptionId,
    resourceProvider: kind.split('/')[0]?.toLowerCase(),
    caller: email,
  };
  yield { time: isoTimestamp(instant), ...shared, resultType: 'Start', resultSignature: 'Started.' };
  const end = isoTimestamp(instant + 1 + random.below(900));
  yield { time: end, ...shared, resultType: 'Success', resultSignature: 'Succeeded.OK' };
}

/** The data team also works in Azure. */
export const azureActivityStream: Stream = {
  dataset: azureActivity,
  *ofHour(company, { start, load }, random) {
    for (const person of company.people.filter(({ team }) => team === 'data')) {
      for (let count = random.below(1 + 4 * load); count > 0; count--) {
        const instant = start + random.below(millisecondsPerHour - 1_000);
        yield* operation(company, person, instant, random);
      }
    }
  },
};
