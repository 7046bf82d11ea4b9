import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'Transfer Family',
  prefix: 'transfer',
  load: () => import('@aws-sdk/client-transfer'),
  client: 'TransferClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_TRANSFER_SERVERS',
      type: 'transfer:server',
      call: 'ListServers',
      items: 'Servers',
      id: '{ServerId}',
      arn: '{Arn}',
      each: [
        {
          kind: 'LW_CFG_AWS_TRANSFER_DESCRIBE_SERVER',
          call: 'DescribeServer',
          input: { ServerId: '{ServerId}' },
          config: 'Server',
          tags: 'Server.Tags',
        },
      ],
    },
  ],
});
