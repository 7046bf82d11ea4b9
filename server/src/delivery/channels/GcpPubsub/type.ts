import { Type } from 'typebox';
import { cloudName } from '../../../integrations/cloud-names.ts';
import { googleServiceAccount } from '../../../integrations/credentials.ts';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { requiredString } from '../../../integrations/members.ts';
import { issueGrouping } from '../../issue-grouping.ts';

export default defineIntegrationType({
  family: 'AlertChannels',
  type: 'GcpPubsub',
  description: 'Publishes alerts to a Pub/Sub topic.',
  fixedDestination: 'googleapis.com',
  data: Type.Object({
    credentials: googleServiceAccount,
    projectId: cloudName('googleProject', 'Project of the topic.'),
    topicId: requiredString('Topic.', 300),
    issueGrouping: Type.Optional(issueGrouping),
  }),
});
