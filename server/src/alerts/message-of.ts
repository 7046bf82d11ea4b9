import type { Tables } from '../control/tables.ts';
import { formatInstant } from '../platform/instant.ts';
import type { AlertMessage, NamedEntities, Severity } from './alert-message.ts';
import { nameOf } from './entity-name.ts';
import type { Entity } from './finding.ts';

/** The delivery of a message. */
export interface MessageContext {
  readonly deliveryId: string;
  readonly account: string;
  readonly link: string;
}

const maxLength = {
  name: 500,
  subject: 1_000,
  description: 4_000,
  remediation: 4_000,
  entity: 200,
  word: 100,
};
const maxKinds = 20;
/** Names per kind; the next lower limit applies if the message is too large. */
const maxNames = [20, 10, 5, 2, 0];
/** Bytes of JSON that queues and receivers accept. */
export const maxMessageBytes = 60_000;

/** The message for an opened alert, or for entities that joined it. */
export function messageOf(
  alert: Tables['alerts'],
  context: MessageContext,
  newEntities?: readonly NamedEntities[],
): AlertMessage {
  const { subject = '', description = '', remediation = '' } = JSON.parse(alert.alert_info);
  const { category = '', sub_category = '', source = '' } = JSON.parse(alert.derived_fields);
  const message: Omit<AlertMessage, 'entities'> = {
    ...context,
    occasion: newEntities ? 'updated' : 'opened',
    alertId: alert.id,
    alertName: truncate(alert.alert_name, maxLength.name),
    alertType: truncate(alert.alert_type, maxLength.word),
    severity: alert.severity as Severity,
    status: 'Open',
    subject: truncate(subject, maxLength.subject),
    description: truncate(description, maxLength.description),
    ...(remediation !== '' && { remediation: truncate(remediation, maxLength.remediation) }),
    category: truncate(category, maxLength.word),
    subCategory: truncate(sub_category, maxLength.word),
    source: truncate(source, maxLength.word),
    policyId: alert.policy_id,
    startTime: formatInstant(alert.start_at),
    endTime: formatInstant(alert.end_at),
    ...(alert.first_event_at !== null && { firstEventTime: formatInstant(alert.first_event_at) }),
    ...(alert.last_event_at !== null && { lastEventTime: formatInstant(alert.last_event_at) }),
    violations: alert.violations,
  };
  const entities = namedEntities(alert);
  const short = (all: readonly NamedEntities[], names: number) =>
    all.map((some) => ({ ...some, names: some.names.slice(0, names) }));
  const sizes = maxNames.map((names) => ({
    ...message,
    entities: short(entities, names),
    ...(newEntities && { newEntities: short(newEntities, names) }),
  }));
  const isWithinLimit = (each: AlertMessage) => Buffer.byteLength(JSON.stringify(each)) <= maxMessageBytes;
  return sizes.find(isWithinLimit) ?? { ...message, entities: [], ...(newEntities && { newEntities: [] }) };
}

/** Appends names of entities in order of arrival. */
export function withNames(
  before: readonly NamedEntities[],
  joined: readonly Entity[],
): readonly NamedEntities[] {
  const kinds = new Map(before.map(({ kind, names, total }) => [kind, { names: [...names], total }]));
  for (const entity of joined) {
    const kind = truncate(entity.kind, maxLength.word);
    const some = kinds.get(kind) ?? { names: [], total: 0 };
    if (!kinds.has(kind) && kinds.size >= maxKinds) continue;
    kinds.set(kind, some);
    some.total += 1;
    // Once a name was omitted, later names are only counted, so that the names are a prefix.
    if (some.names.length === some.total - 1 && some.names.length < (maxNames[0] ?? 0))
      some.names.push(truncate(nameOf(entity), maxLength.entity));
  }
  return [...kinds].map(([kind, some]) => ({ kind, ...some }));
}

/** The message for a closed alert. */
export function closingOf(opened: AlertMessage, alert: Tables['alerts'], deliveryId: string): AlertMessage {
  const { violations, end_at } = alert;
  return {
    ...opened,
    ...{ deliveryId, occasion: 'closed', status: 'Closed', violations, endTime: formatInstant(end_at) },
  };
}

type EntityMap = Readonly<Record<string, readonly { KEY?: object; PROPS?: object }[]>>;

function namedEntities({ entity_map }: Tables['alerts']): NamedEntities[] {
  return Object.entries(JSON.parse(entity_map) as EntityMap)
    .slice(0, maxKinds)
    .map(([kind, entities]) => {
      const names = entities
        .slice(0, maxNames[0])
        .map(({ KEY = {}, PROPS = {} }) => nameOf({ kind, key: { ...KEY }, props: { ...PROPS } }));
      return {
        kind: truncate(kind, maxLength.word),
        names: names.map((name) => truncate(name, maxLength.entity)),
        total: entities.length,
      };
    });
}

/** Truncates without splitting a surrogate pair. */
function truncate(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
