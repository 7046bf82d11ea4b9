import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'SageMaker',
  prefix: 'sagemaker',
  load: () => import('@aws-sdk/client-sagemaker'),
  client: 'SageMakerClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_SAGEMAKER_NOTEBOOK_INSTANCES',
      type: 'sagemaker:notebook-instance',
      call: 'ListNotebookInstances',
      input: { MaxResults: 100 },
      items: 'NotebookInstances',
      id: '{NotebookInstanceName}',
      arn: '{NotebookInstanceArn}',
      each: [
        {
          kind: 'LW_CFG_AWS_SAGEMAKER_DESCRIBE_NOTEBOOK_INSTANCE',
          call: 'DescribeNotebookInstance',
          input: { NotebookInstanceName: '{NotebookInstanceName}' },
        },
      ],
    },
  ],
});
