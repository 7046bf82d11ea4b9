import { Type } from 'typebox';
import { googleServiceAccount } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { choice } from '../../../integrations/members.ts';
import { checkProject, projectOrOrganization } from '../../google-scope.ts';

export default defineIntegrationType({
  family: 'CloudAccounts',
  type: 'GcpCfg',
  description: 'Reads the configuration of a Google Cloud project or organization.',
  fixedDestination: 'googleapis.com',
  data: Type.Object({
    credentials: googleServiceAccount,
    idType: choice(['PROJECT', 'ORGANIZATION'], 'Type of the id.'),
    id: projectOrOrganization('Project or organization.'),
  }),
  check: checkProject('idType', 'id'),
  unique: { noun: 'Project or organization', identify: ({ idType, id }) => `${idType} ${id}` },
});
