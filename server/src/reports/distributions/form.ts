import { type Static, Type } from 'typebox';
import { omissible } from '../../platform/omissible.ts';
import { frequencies } from '../scheduled/period.ts';

export const results = ['Compliant', 'NonCompliant', 'Suppressed', 'CouldNotAssess', 'Manual'] as const;

const guids = (minItems: number, description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    ...{ minItems, maxItems: 1_000, uniqueItems: true, description },
  });
const cloudId = (description: string) =>
  omissible(Type.String({ minLength: 1, maxLength: 200, description }));

const Integration = Type.Object({
  accountId: cloudId('AWS account.'),
  tenantId: cloudId('Azure tenant.'),
  subscriptionId: cloudId('Azure subscription.'),
  organizationId: cloudId('Google Cloud organization.'),
  projectId: cloudId('Google Cloud project.'),
});

/** Clients send null for an array that is not set. */
const Data = Type.Object(
  {
    severities: omissible(
      Type.Array(Type.String({ maxLength: 20 }), {
        maxItems: 5,
        description: 'Severities of the policies, in any letter case; empty for all.',
      }),
    ),
    violations: omissible(
      Type.Array(Type.Enum([...results]), {
        ...{ maxItems: results.length, uniqueItems: true },
        description: 'Results of the policies; empty for all.',
      }),
    ),
    resourceGroups: omissible(guids(0, 'Identifiers of resource groups; empty for no restriction.')),
    integrations: omissible(
      Type.Array(Integration, {
        maxItems: 1_000,
        description: 'Cloud accounts; empty for all. Not together with resourceGroups.',
      }),
    ),
  },
  { description: 'What the report is about.' },
);
export type GivenData = Static<typeof Data>;

const members = {
  reportDefinitionGuid: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Identifier of the report definition, built-in or custom.',
  }),
  distributionName: Type.String({ pattern: '\\S', minLength: 1, maxLength: 500, description: 'Name.' }),
  alertChannels: guids(1, 'Identifiers (intgGuid) of the alert channels that get the report.'),
  frequency: Type.Enum([...frequencies], { description: 'How often the report is sent.' }),
};

export const DistributionCreation = Type.Object({ ...members, data: omissible(Data) });
export type DistributionCreation = Static<typeof DistributionCreation>;

export const DistributionChange = Type.Object({
  reportDefinitionGuid: omissible(members.reportDefinitionGuid),
  distributionName: omissible(members.distributionName),
  alertChannels: omissible(members.alertChannels),
  frequency: omissible(members.frequency),
  data: omissible(Data),
});
export type DistributionChange = Static<typeof DistributionChange>;
