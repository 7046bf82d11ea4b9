import type { AlertMessage } from '../../../alerts/alert-message.ts';
import { truncate } from '../../bounded-string.ts';
import { condensed } from '../../condensed.ts';

type Attributes = Record<string, string | number>;

/** Maximum characters of an attribute. New Relic accepts and then drops events with a longer one. */
const limit = 4_096;

/** Attributes are flat strings or numbers; their names avoid NRQL keywords such as endTime. */
export default function newRelicEvents(message: AlertMessage): readonly Attributes[] {
  return [condensed(message, attributes, isWithinLimit)];
}

function isWithinLimit(attributes: Attributes): boolean {
  return Object.values(attributes).every((value) => typeof value === 'number' || value.length <= limit);
}

function attributes(message: AlertMessage): Attributes {
  const { startTime, endTime, entities, newEntities = [], ...rest } = message;
  const all: Attributes = {
    eventType: 'VedetteAlert',
    ...rest,
    alertStart: Date.parse(startTime),
    alertEnd: Date.parse(endTime),
  };
  for (const [prefix, some] of [['entity', entities] as const, ['newEntity', newEntities] as const])
    for (const { kind, names, total } of some) {
      const name = `${prefix}.${truncate(kind, 200)}`;
      all[name] = names.join(', ');
      all[`${name}.total`] = total;
    }
  return all;
}
