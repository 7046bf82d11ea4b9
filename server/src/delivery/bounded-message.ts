import type { AlertMessage, NamedEntities } from '../alerts/alert-message.ts';
import { truncate } from './bounded-string.ts';
import type { Resource } from './issue-grouping.ts';

/** The alert for JSON receivers, within the limits of all of them; reduced to one resource if given. */
export function boundedMessage(message: AlertMessage, resource?: Resource): object {
  return {
    ...message,
    alertName: truncate(message.alertName, 500),
    subject: truncate(message.subject, 1_000),
    description: truncate(message.description, 3_000),
    ...(message.remediation !== undefined && { remediation: truncate(message.remediation, 3_000) }),
    ...(resource
      ? { resource: boundedResource(resource), entities: [] }
      : { entities: boundedEntities(message.entities) }),
    ...(message.newEntities && {
      newEntities: resource ? [] : boundedEntities(message.newEntities),
    }),
  };
}

export function boundedEntities(entities: readonly NamedEntities[]): readonly NamedEntities[] {
  return entities.slice(0, 10).map(({ kind, names, total }) => ({
    kind: truncate(kind, 100),
    names: names.slice(0, 10).map((name) => truncate(name, 150)),
    total,
  }));
}

function boundedResource({ kind, name }: Resource): Resource {
  return { kind: truncate(kind, 100), name: truncate(name, 1_000) };
}
