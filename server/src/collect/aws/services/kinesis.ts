import { arnOf } from '../account-resource.ts';
import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'Kinesis',
  prefix: 'kinesis',
  load: () => import('@aws-sdk/client-kinesis'),
  client: 'KinesisClient',
  regions: 'each',
  rate: { perSecond: 5 },
  reads: [
    {
      kind: 'LW_CFG_AWS_KINESIS_STREAMS',
      type: 'kinesis:stream',
      call: 'ListStreams',
      items: 'StreamNames',
      id: '{}',
      arn: arnOf('kinesis', 'stream/{}'),
      each: [
        {
          kind: 'LW_CFG_AWS_KINESIS_DESCRIBE_STREAM_SUMMARY',
          call: 'DescribeStreamSummary',
          input: { StreamName: '{}' },
          config: 'StreamDescriptionSummary',
        },
      ],
    },
  ],
});
