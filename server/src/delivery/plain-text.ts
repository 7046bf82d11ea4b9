import type { AlertMessage } from '../alerts/alert-message.ts';
import { cut } from './bounded-string.ts';
import type { Resource } from './issue-grouping.ts';
import { entityLines, factsOf, oneLine, paragraphs } from './wording.ts';

/** The message for receivers of plain text. */
export function plainText(message: AlertMessage, resource?: Resource): string {
  const { link, deliveryId } = message;
  const about = resource
    ? [oneLine(`${resource.kind}: ${resource.name}`)]
    : entityLines(message).slice(0, 10);
  return [
    ...paragraphs(message).flatMap((text) => [cut(text, 1_500), '']),
    ...factsOf(message).map(([label, value]) => `${label}: ${cut(value, 200)}`),
    ...about.map((line) => cut(line, 250)),
    '',
    ...(link === '' ? [] : [link]),
    `Delivery ${deliveryId}`,
  ].join('\n');
}
