import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'Organizations',
  prefix: 'organizations',
  load: () => import('@aws-sdk/client-organizations'),
  client: 'OrganizationsClient',
  regions: 'once',
  reads: [
    {
      kind: 'LW_CFG_AWS_ORGANIZATIONS_ACCOUNTS',
      type: 'organizations:account',
      call: 'ListAccounts',
      items: 'Accounts',
      id: '{Id}',
      arn: '{Arn}',
      off: ['AWSOrganizationsNotInUseException'],
    },
  ],
});
