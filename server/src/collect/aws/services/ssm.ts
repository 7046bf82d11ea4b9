import { arnOf } from '../account-resource.ts';
import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'SSM',
  prefix: 'ssm',
  load: () => import('@aws-sdk/client-ssm'),
  client: 'SSMClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_SSM_INSTANCE_INFORMATION',
      type: 'ssm:managed-instance',
      call: 'DescribeInstanceInformation',
      input: { MaxResults: 50 },
      items: 'InstanceInformationList',
      id: '{InstanceId}',
      arn: arnOf('ssm', 'managed-instance/{InstanceId}'),
      each: [
        {
          kind: 'LW_CFG_AWS_SSM_COMPLIANCES',
          type: 'ssm:compliance',
          call: 'ListComplianceItems',
          input: { ResourceIds: ['{InstanceId}'], ResourceTypes: ['ManagedInstance'], MaxResults: 50 },
          items: 'ComplianceItems',
          key: arnOf('ssm', 'managed-instance/{^InstanceId}/{ComplianceType}/{Id}'),
        },
      ],
    },
    {
      // Names and types: no call of ours returns values.
      kind: 'LW_CFG_AWS_SSM_PARAMETERS',
      type: 'ssm:parameter',
      call: 'DescribeParameters',
      input: { MaxResults: 50 },
      items: 'Parameters',
      id: '{Name}',
      arn: '{ARN}',
      redact: ['Value'],
    },
  ],
});
