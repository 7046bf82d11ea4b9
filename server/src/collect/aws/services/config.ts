import { arnOf } from '../account-resource.ts';
import { defineAwsService } from '../service.ts';

const recorder = {
  type: 'config:recorder',
  id: '{$account}/{$region}/{name}',
  arn: arnOf('config', 'configuration-recorder/{name}'),
} as const;

export default defineAwsService({
  name: 'Config',
  prefix: 'config',
  load: () => import('@aws-sdk/client-config-service'),
  client: 'ConfigServiceClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_CONFIG_CONFIGURATION_RECORDERS',
      call: 'DescribeConfigurationRecorders',
      items: 'ConfigurationRecorders',
      ...recorder,
    },
    {
      kind: 'LW_CFG_AWS_CONFIG_CONFIGURATION_RECORDERS_STATUS',
      call: 'DescribeConfigurationRecorderStatus',
      items: 'ConfigurationRecordersStatus',
      ...recorder,
    },
  ],
});
