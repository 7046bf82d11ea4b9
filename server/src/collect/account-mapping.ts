import { dataUri } from '../integrations/members.ts';

export const accountMapping = dataUri(
  'Which account here each cloud account belongs to: JSON text as a base64 data URI.',
);
