import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'EFS',
  prefix: 'efs',
  iamPrefix: 'elasticfilesystem',
  load: () => import('@aws-sdk/client-efs'),
  client: 'EFSClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_EFS_DESCRIBE_FILE_SYSTEMS',
      type: 'efs:file-system',
      call: 'DescribeFileSystems',
      input: { MaxItems: 100 },
      items: 'FileSystems',
      id: '{FileSystemId}',
      arn: '{FileSystemArn}',
      each: [
        {
          kind: 'LW_CFG_AWS_EFS_DESCRIBE_BACKUP_POLICY',
          call: 'DescribeBackupPolicy',
          input: { FileSystemId: '{FileSystemId}' },
        },
      ],
    },
  ],
});
