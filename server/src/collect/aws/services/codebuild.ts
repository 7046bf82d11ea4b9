import { arnOf } from '../account-resource.ts';
import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'CodeBuild',
  prefix: 'codebuild',
  load: () => import('@aws-sdk/client-codebuild'),
  client: 'CodeBuildClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_CODEBUILD_PROJECTS',
      type: 'codebuild:project',
      call: 'ListProjects',
      items: 'projects',
      id: '{}',
      arn: arnOf('codebuild', 'project/{}'),
      each: [
        {
          kind: 'LW_CFG_AWS_CODEBUILD_BATCH_GET_PROJECTS',
          call: 'BatchGetProjects',
          input: { names: ['{}'] },
          config: 'projects.0',
          tags: 'projects.0.tags',
          redact: [
            // Values of the other types are names of parameters and secrets.
            'environment.environmentVariables.*[type!=PARAMETER_STORE|SECRETS_MANAGER].value',
            // A build specification may set variables too.
            ...['source.buildspec', 'secondarySources.*.buildspec'],
          ],
          urls: ['source.location', 'secondarySources.*.location'],
        },
      ],
    },
  ],
});
