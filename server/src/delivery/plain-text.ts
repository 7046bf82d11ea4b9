import type { AlertMessage } from '../alerts/alert-message.ts';
import { truncate } from './bounded-string.ts';
import type { Resource } from './issue-grouping.ts';
import { entityLines, labelledFacts, oneLine, paragraphs } from './wording.ts';

/** The message for receivers of plain text. */
export function plainText(message: AlertMessage, resource?: Resource): string {
  const { link, deliveryId } = message;
  const about = resource
    ? [oneLine(`${resource.kind}: ${resource.name}`)]
    : entityLines(message).slice(0, 10);
  return [
    ...paragraphs(message).flatMap((text) => [truncate(text, 1_500), '']),
    ...labelledFacts(message).map(([label, value]) => `${label}: ${truncate(value, 200)}`),
    ...about.map((line) => truncate(line, 250)),
    '',
    ...(link === '' ? [] : [link]),
    `Delivery ${deliveryId}`,
  ].join('\n');
}
