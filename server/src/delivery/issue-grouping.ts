import type { AlertMessage } from '../alerts/alert-message.ts';
import { choice } from '../integrations/members.ts';

export const issueGrouping = choice(
  ['Events', 'Resources'],
  'Whether one message is sent per alert or per resource.',
);

export interface Resource {
  readonly kind: string;
  readonly name: string;
}

/** The limit of EventBridge per request; the alert itself lists further resources. */
const maxResources = 10;

/**
 * The subjects of the messages for an alert: the alert as a whole, or each of its resources if the channel groups by
 * resource; for an update, each new resource.
 */
export function groups(message: AlertMessage, grouping: unknown): readonly (Resource | undefined)[] {
  const { entities: all, newEntities: entities = all } = message;
  const main = entities.find(({ kind }) => kind.endsWith('Resource')) ?? entities[0];
  if (grouping !== 'Resources' || !main || main.names.length === 0) return [undefined];
  return main.names.slice(0, maxResources).map((name) => ({ kind: main.kind, name }));
}
