import type { AlertMessage } from '../alerts/alert-message.ts';
import { choice } from '../integrations/members.ts';

export const issueGrouping = choice(['Events', 'Resources'], 'What one message is about.');

export interface Resource {
  readonly kind: string;
  readonly name: string;
}

/** As many as EventBridge takes at once; whoever needs to know of more than that reads the alert. */
const mostResources = 10;

/**
 * What each message is about: the alert as a whole, or one of its resources, where the channel wants them apart; of those
 * that joined it each that is new.
 */
export function groups(message: AlertMessage, grouping: unknown): readonly (Resource | undefined)[] {
  const { entities: all, newEntities: entities = all } = message;
  const main = entities.find(({ kind }) => kind.endsWith('Resource')) ?? entities[0];
  if (grouping !== 'Resources' || !main || main.names.length === 0) return [undefined];
  return main.names.slice(0, mostResources).map((name) => ({ kind: main.kind, name }));
}
