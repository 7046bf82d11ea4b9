import { Type } from 'typebox';
import { cloudName } from '../../../integrations/cloud-names.ts';
import { googleServiceAccountWithUri } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { anyString, choice, requiredString } from '../../../integrations/members.ts';
import { accountMapping } from '../../account-mapping.ts';
import { checkProject, projectOrOrganization } from '../../google-scope.ts';
import { scanSettings } from '../../scan-settings.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'GcpSidekick',
  lacksCollector: true,
  description: 'Scans the disks of Google Cloud projects without agents.',
  data: Type.Object({
    ...scanSettings,
    credentials: googleServiceAccountWithUri,
    idType: choice(['PROJECT', 'ORGANIZATION'], 'Type of the id.'),
    id: projectOrOrganization('Project or organization.'),
    scanningProjectId: cloudName('googleProject', 'Project that runs the scans.'),
    sharedBucketName: requiredString('Bucket for the results.', 300),
    filterList: Type.Optional(anyString('Projects to include or exclude, separated by commas.', 20_000)),
    accountMappingFile: Type.Optional(accountMapping),
  }),
  check: checkProject('idType', 'id'),
  issuesServerToken: true,
});
