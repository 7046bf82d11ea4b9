import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { blankSecret, dataUri, destination, requiredString } from '../../../integrations/members.ts';
import { issueGrouping } from '../../issue-grouping.ts';

export default defineIntegrationType({
  family: 'AlertChannels',
  type: 'ServiceNowRest',
  description: 'Opens incidents in ServiceNow.',
  data: Type.Object({
    instanceUrl: destination(requiredString('Address of the instance, with or without a scheme.')),
    userName: requiredString('User that opens the incidents.', 320),
    password: blankSecret('Password.'),
    issueGrouping: Type.Optional(issueGrouping),
    customTemplateFile: Type.Optional(dataUri('Template of the incidents, as a base64 data URI.')),
  }),
});
