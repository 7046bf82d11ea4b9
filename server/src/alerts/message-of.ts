import type { Tables } from '../control/tables.ts';
import { formatInstant } from '../platform/instant.ts';
import type { AlertMessage, NamedEntities, Severity } from './alert-message.ts';
import { nameOf } from './entity-name.ts';
import type { Entity } from './finding.ts';

/** The delivery that a message belongs to. */
export interface Telling {
  readonly deliveryId: string;
  readonly account: string;
  readonly link: string;
}

const longest = { name: 500, subject: 1_000, description: 4_000, remediation: 4_000, entity: 200, word: 100 };
const mostKinds = 20;
/** How many names of each kind; fewer where the message would be too large with them. */
const mostNames = [20, 10, 5, 2, 0];
/** Bytes of a message as JSON: queues and receivers take so much. */
export const largestMessage = 60_000;

/** The message about an alert that was opened, or that entities joined. */
export function messageOf(
  alert: Tables['alerts'],
  telling: Telling,
  newEntities?: readonly NamedEntities[],
): AlertMessage {
  const { subject = '', description = '', remediation = '' } = JSON.parse(alert.alert_info);
  const { category = '', sub_category = '', source = '' } = JSON.parse(alert.derived_fields);
  const message: Omit<AlertMessage, 'entities'> = {
    ...telling,
    occasion: newEntities ? 'updated' : 'opened',
    alertId: alert.id,
    alertName: cut(alert.alert_name, longest.name),
    alertType: cut(alert.alert_type, longest.word),
    severity: alert.severity as Severity,
    status: 'Open',
    subject: cut(subject, longest.subject),
    description: cut(description, longest.description),
    ...(remediation !== '' && { remediation: cut(remediation, longest.remediation) }),
    category: cut(category, longest.word),
    subCategory: cut(sub_category, longest.word),
    source: cut(source, longest.word),
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
  const sizes = mostNames.map((names) => ({
    ...message,
    entities: short(entities, names),
    ...(newEntities && { newEntities: short(newEntities, names) }),
  }));
  const fits = (each: AlertMessage) => Buffer.byteLength(JSON.stringify(each)) <= largestMessage;
  return sizes.find(fits) ?? { ...message, entities: [], ...(newEntities && { newEntities: [] }) };
}

/** Adds entities to those that are named already, in the order in which they came. */
export function withNames(
  before: readonly NamedEntities[],
  joined: readonly Entity[],
): readonly NamedEntities[] {
  const kinds = new Map(before.map(({ kind, names, total }) => [kind, { names: [...names], total }]));
  for (const entity of joined) {
    const kind = cut(entity.kind, longest.word);
    const some = kinds.get(kind) ?? { names: [], total: 0 };
    if (!kinds.has(kind) && kinds.size >= mostKinds) continue;
    kinds.set(kind, some);
    some.total += 1;
    // A name after one that was left out would not be the next that came.
    if (some.names.length === some.total - 1 && some.names.length < (mostNames[0] ?? 0))
      some.names.push(cut(nameOf(entity), longest.entity));
  }
  return [...kinds].map(([kind, some]) => ({ kind, ...some }));
}

/** The same alert when it is closed. */
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
    .slice(0, mostKinds)
    .map(([kind, things]) => {
      const names = things
        .slice(0, mostNames[0])
        .map(({ KEY = {}, PROPS = {} }) => nameOf({ kind, key: { ...KEY }, props: { ...PROPS } }));
      return {
        kind: cut(kind, longest.word),
        names: names.map((name) => cut(name, longest.entity)),
        total: things.length,
      };
    });
}

/** Never between the halves of a character. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
