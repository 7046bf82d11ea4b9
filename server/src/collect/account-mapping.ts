import { dataUri } from '../integrations/members.ts';

export const accountMapping = dataUri(
  'Maps cloud accounts to accounts of this service: JSON as a base64 data URI.',
);
