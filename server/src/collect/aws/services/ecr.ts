import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'ECR',
  prefix: 'ecr',
  load: () => import('@aws-sdk/client-ecr'),
  client: 'ECRClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_ECR_REPOSITORIES',
      type: 'ecr:repository',
      call: 'DescribeRepositories',
      input: { maxResults: 1_000 },
      items: 'repositories',
      id: '{repositoryName}',
      arn: '{repositoryArn}',
      each: [
        {
          kind: 'LW_CFG_AWS_ECR_REPOSITORIES_GET_POLICY',
          call: 'GetRepositoryPolicy',
          input: { repositoryName: '{repositoryName}' },
          json: ['policyText'],
        },
      ],
    },
  ],
});
