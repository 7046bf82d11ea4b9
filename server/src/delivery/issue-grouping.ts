import { choice } from '../integrations/members.ts';

export const issueGrouping = choice(['Events', 'Resources'], 'What one message is about.');
