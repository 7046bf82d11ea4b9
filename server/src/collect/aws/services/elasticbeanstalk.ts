import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'Elastic Beanstalk',
  prefix: 'elasticbeanstalk',
  load: () => import('@aws-sdk/client-elastic-beanstalk'),
  client: 'ElasticBeanstalkClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_ELASTICBEANSTALK_ENVIRONMENTS',
      type: 'elasticbeanstalk:environment',
      call: 'DescribeEnvironments',
      input: { IncludeDeleted: false },
      paging: { output: 'NextToken' },
      items: 'Environments',
      id: '{EnvironmentId}',
      arn: '{EnvironmentArn}',
      each: [
        {
          kind: 'LW_CFG_AWS_ELASTICBEANSTALK_DESCRIBE_CONFIGURATION_SETTINGS',
          call: 'DescribeConfigurationSettings',
          input: { ApplicationName: '{ApplicationName}', EnvironmentName: '{EnvironmentName}' },
          config: 'ConfigurationSettings.0',
          redact: [
            'OptionSettings.*[Namespace=aws:elasticbeanstalk:application:environment].Value',
            'OptionSettings.*[OptionName=DBPassword|EnvironmentVariables].Value',
          ],
        },
      ],
    },
  ],
});
