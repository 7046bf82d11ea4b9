import type { AlertMessage, NamedEntities } from '../alerts/alert-message.ts';
import { cut } from './bounded-string.ts';

/** Limits on an alert message: kinds of entities, names per kind, characters per string. */
interface Room {
  readonly kinds: number;
  readonly names: number;
  readonly text: number;
}

const roomy: Room = { kinds: 10, names: 10, text: 4_000 };

const narrower: readonly Room[] = [
  { kinds: 10, names: 5, text: 1_500 },
  { kinds: 5, names: 3, text: 500 },
  { kinds: 3, names: 2, text: 150 },
  { kinds: 2, names: 1, text: 40 },
];

/** Builds a message from as much of an alert as fits. Details available behind the link are cut first. */
export function condensed<Made>(
  message: AlertMessage,
  make: (message: AlertMessage) => Made,
  fits: (made: Made) => boolean,
): Made {
  let made = make(within(roomy, message));
  for (const room of narrower) {
    if (fits(made)) break;
    made = make(within(room, message));
  }
  return made;
}

/** Tests that a value has at most this many bytes as JSON. */
export function fitsJson(bytes: number): (made: unknown) => boolean {
  return (made) => Buffer.byteLength(JSON.stringify(made)) <= bytes;
}

function within({ kinds, names, text }: Room, message: AlertMessage): AlertMessage {
  const short = (value: string) => cut(value, text);
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
