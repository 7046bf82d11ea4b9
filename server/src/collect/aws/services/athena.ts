import { arnOf } from '../account-resource.ts';
import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'Athena',
  prefix: 'athena',
  load: () => import('@aws-sdk/client-athena'),
  client: 'AthenaClient',
  regions: 'each',
  rate: { perSecond: 5 },
  reads: [
    {
      kind: 'LW_CFG_AWS_ATHENA_WORK_GROUPS',
      type: 'athena:workgroup',
      call: 'ListWorkGroups',
      items: 'WorkGroups',
      id: '{Name}',
      arn: arnOf('athena', 'workgroup/{Name}'),
      each: [
        {
          kind: 'LW_CFG_AWS_ATHENA_GET_WORK_GROUP',
          call: 'GetWorkGroup',
          input: { WorkGroup: '{Name}' },
          config: 'WorkGroup',
        },
      ],
    },
  ],
});
