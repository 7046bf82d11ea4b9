import type { AlertMessage } from '../../../alerts/alert-message.ts';
import { truncate } from '../../bounded-string.ts';
import { plainText } from '../../plain-text.ts';
import { entityLines, headline, labelledFacts, paragraphs } from '../../wording.ts';
import { escaped } from './escaped.ts';

/** The message as plain text and as HTML. */
export default function alertEmail(message: AlertMessage): { subject: string; text: string; html: string } {
  const title = headline(message);
  return {
    subject: truncate(`[${message.severity}] ${title}`, 200),
    text: `${truncate(title, 500)}\n\n${plainText(message)}\n`,
    html: page(message, title),
  };
}

function page(message: AlertMessage, title: string): string {
  const { link, alertId, deliveryId } = message;
  const rows = labelledFacts(message).map(
    ([label, value]) => `<tr><th align="left">${label}</th><td>${escaped(value, 200)}</td></tr>`,
  );
  const about = entityLines(message)
    .slice(0, 10)
    .map((line) => `<li>${escaped(line, 500)}</li>`);
  return [
    '<!DOCTYPE html>',
    '<html lang="en"><body style="font-family: sans-serif">',
    `<h2>${escaped(title, 500)}</h2>`,
    ...paragraphs(message).map((text) => `<p style="white-space: pre-line">${escaped(text, 4_000)}</p>`),
    `<table cellpadding="4">${rows.join('')}</table>`,
    ...(about.length > 0 ? [`<ul>${about.join('')}</ul>`] : []),
    ...(link === '' ? [] : [`<p><a href="${escaped(link, 2_000)}">Open alert ${alertId}</a></p>`]),
    `<p style="color: #666666; font-size: small">Delivery ${deliveryId}</p>`,
    '</body></html>',
    '',
  ].join('\n');
}
