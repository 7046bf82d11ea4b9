import type { AlertMessage } from '../../../alerts/alert-message.ts';
import { condensed } from '../../condensed.ts';
import { entityLines, headline, labelledFacts, paragraphs } from '../../wording.ts';

interface WebexMessage {
  readonly markdown: string;
}

/** Maximum bytes of a message. */
const limit = 7_439;

export default function webexMessage(message: AlertMessage): WebexMessage {
  return condensed(message, rendered, ({ markdown }) => Buffer.byteLength(markdown) <= limit);
}

function rendered(message: AlertMessage): WebexMessage {
  const facts = labelledFacts(message).map(([label, value]) => `- **${label}:** ${escaped(value)}`);
  const about = entityLines(message).map((line) => `- ${escaped(line)}`);
  const parts = [
    `### ${escaped(headline(message))}`,
    ...paragraphs(message).map(escaped),
    [...facts, ...about, `- Delivery ${message.deliveryId}`].join('\n'),
    ...(message.link === '' ? [] : [`[Open alert ${message.alertId}](${message.link})`]),
  ];
  return { markdown: parts.join('\n\n') };
}

/** Escapes untrusted names: they must neither format text nor mention users, as `<@all>` would. */
function escaped(text: string): string {
  return text
    .replace(/[\\`*_~[\]]|^\s*[#>+-]/gm, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;');
}
