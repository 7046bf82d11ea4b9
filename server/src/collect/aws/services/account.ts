import { ofAccount } from '../account-resource.ts';
import { awsResource, globalRegion } from '../aws-resource.ts';
import { defineAwsService } from '../service.ts';

const accounts = 'LW_CFG_AWS_ACCOUNTS';
const build = { call: 'BuildIntegrationAccountUrn', type: 'account' };

export default defineAwsService({
  name: 'Account',
  prefix: 'account',
  load: () => import('@aws-sdk/client-account'),
  client: 'AccountClient',
  regions: 'once',
  reads: [
    {
      kinds: { [accounts]: build },
      name: build.call,
      calls: [],
      // The account is known since the collection began: for queries that begin with accounts.
      async read({ account, service }, output) {
        const { id, alias, partition, organization } = account;
        const config = { Id: id, Alias: alias, Partition: partition, OrganizationId: organization };
        const arn = `arn:${partition}:iam::${id}:root`;
        const where = { id, arn, region: globalRegion, service: service.prefix };
        await output.add(
          accounts,
          awsResource(account, { ...build, ...where, config: JSON.stringify(config) }),
        );
      },
    },
    {
      kind: 'LW_CFG_AWS_ACCOUNT_GET_CONTACT_INFORMATION',
      type: 'account:contact',
      call: 'GetContactInformation',
      ...ofAccount,
    },
    {
      kind: 'LW_CFG_AWS_ACCOUNT_GET_ALTERNATE_CONTACT',
      type: 'account:alternate-contact',
      call: 'GetAlternateContact',
      inputs: ['SECURITY', 'OPERATIONS', 'BILLING'].map((AlternateContactType) => ({ AlternateContactType })),
      ...ofAccount,
      id: '{$account}/{$input.AlternateContactType}',
      key: '{$account}/{$input.AlternateContactType}',
    },
  ],
});
