import type { AlertMessage, NamedEntities } from '../alerts/alert-message.ts';
import { truncate } from './bounded-string.ts';

/** Limits on an alert message: kinds of entities, names per kind, characters per string. */
interface MessageLimits {
  readonly kinds: number;
  readonly names: number;
  readonly length: number;
}

const initialLimits: MessageLimits = { kinds: 10, names: 10, length: 4_000 };

const reducedLimits: readonly MessageLimits[] = [
  { kinds: 10, names: 5, length: 1_500 },
  { kinds: 5, names: 3, length: 500 },
  { kinds: 3, names: 2, length: 150 },
  { kinds: 2, names: 1, length: 40 },
];

/** Builds a message from as much of an alert as fits. Details available behind the link are cut first. */
export function condensed<Body>(
  message: AlertMessage,
  build: (message: AlertMessage) => Body,
  isWithinLimit: (body: Body) => boolean,
): Body {
  let body = build(within(initialLimits, message));
  for (const limits of reducedLimits) {
    if (isWithinLimit(body)) break;
    body = build(within(limits, message));
  }
  return body;
}

/** Tests that a value has at most this many bytes as JSON. */
export function withinJsonBytes(bytes: number): (value: unknown) => boolean {
  return (value) => Buffer.byteLength(JSON.stringify(value)) <= bytes;
}

function within({ kinds, names, length }: MessageLimits, message: AlertMessage): AlertMessage {
  const short = (value: string) => truncate(value, length);
  const named = (all: readonly NamedEntities[]) =>
    all.slice(0, kinds).map(({ kind, names: some, total }) => ({
      kind: short(kind),
      names: some.slice(0, names).map(short),
      total,
    }));
  return {
    ...message,
    account: short(message.account),
    alertName: short(message.alertName),
    alertType: short(message.alertType),
    subject: short(message.subject),
    description: short(message.description),
    ...(message.remediation !== undefined && { remediation: short(message.remediation) }),
    category: short(message.category),
    subCategory: short(message.subCategory),
    source: short(message.source),
    policyId: short(message.policyId),
    entities: named(message.entities),
    ...(message.newEntities && { newEntities: named(message.newEntities) }),
  };
}
