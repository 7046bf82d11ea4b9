import type { Email } from '../../../outbound/mail/mail.ts';
import type { ComposedReport } from '../../../reports/scheduled/composed-report.ts';
import { truncate } from '../../bounded-string.ts';
import { escaped } from './escaped.ts';

const maxCell = 500;

/** A report as plain text and as HTML, with its attachment. */
export function reportEmail(
  { subject, paragraphs, table, attachment }: ComposedReport,
  deliveryId: string,
): Omit<Email, 'id' | 'to'> {
  const rows = table?.rows ?? [];
  const lines = rows.map((cells) => cells.map((cell) => truncate(cell, maxCell)).join(' | '));
  const head = table ? [table.head.join(' | ')] : [];
  return {
    subject: truncate(subject, 200),
    text: `${[...paragraphs, [...head, ...lines].join('\n')].filter((part) => part !== '').join('\n\n')}\n`,
    html: [
      '<!DOCTYPE html>',
      '<html lang="en"><body style="font-family: sans-serif">',
      `<h2>${escaped(subject, 500)}</h2>`,
      ...paragraphs.map((text) => `<p>${escaped(text, 4_000)}</p>`),
      ...(table ? [tableHtml(table)] : []),
      `<p style="color: #666666; font-size: small">Delivery ${deliveryId}</p>`,
      '</body></html>',
      '',
    ].join('\n'),
    ...(attachment && { attachment }),
  };
}

function tableHtml({ head, rows }: NonNullable<ComposedReport['table']>): string {
  const cells = (tag: string, texts: readonly string[]) =>
    texts.map((text) => `<${tag} align="left">${escaped(text, maxCell)}</${tag}>`).join('');
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`);
  return `<table cellpadding="4"><tr>${cells('th', head)}</tr>${body.join('')}</table>`;
}
