import { arnOf } from '../account-resource.ts';
import { defineAwsService } from '../service.ts';

/** Arguments of the service itself; others are those of the job's program, and may be passwords. */
const ownArguments = [
  ...['--job-language', '--job-bookmark-option', '--encryption-type', '--enable-metrics', '--TempDir'],
  ...['--enable-continuous-cloudwatch-log', '--enable-continuous-log-filter', '--enable-spark-ui'],
  ...['--continuous-log-logGroup', '--enable-glue-datacatalog', '--enable-job-insights', '--class'],
].join('|');

export default defineAwsService({
  name: 'Glue',
  prefix: 'glue',
  load: () => import('@aws-sdk/client-glue'),
  client: 'GlueClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_GLUE_JOBS',
      type: 'glue:job',
      call: 'GetJobs',
      items: 'Jobs',
      id: '{Name}',
      arn: arnOf('glue', 'job/{Name}'),
      redact: [
        ...[`DefaultArguments.*[!${ownArguments}]`, `NonOverridableArguments.*[!${ownArguments}]`],
        'CodeGenConfigurationNodes',
      ],
    },
    {
      kind: 'LW_CFG_AWS_GLUE_SECURITY_CONFIGURATIONS',
      type: 'glue:security-configuration',
      call: 'GetSecurityConfigurations',
      items: 'SecurityConfigurations',
      id: '{Name}',
      arn: arnOf('glue', 'security-configuration/{Name}'),
    },
  ],
});
