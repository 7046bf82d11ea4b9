import { Type } from 'typebox';
import { defineIntegrationType } from '../../../integrations/declaration.ts';
import { webAddress } from '../../../integrations/members.ts';

export default defineIntegrationType({
  family: 'AlertChannels',
  type: 'MicrosoftTeams',
  description: 'Posts alerts to a Teams channel.',
  data: Type.Object({
    teamsUrl: webAddress('Address of the workflow, or of the older incoming webhook.'),
  }),
});
