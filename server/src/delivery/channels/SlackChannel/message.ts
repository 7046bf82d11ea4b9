import type { AlertMessage } from '../../../alerts/alert-message.ts';
import { truncate } from '../../bounded-string.ts';
import { entityLines, headline, labelledFacts, paragraphs } from '../../wording.ts';

const htmlEntities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string, maxLength: number) =>
  truncate(text, maxLength, (character) => htmlEntities[character] ?? character);

const markdown = (text: string) => ({ type: 'mrkdwn', text });
const section = (text: string) => ({ type: 'section', text: markdown(text) });

/** Blocks within Slack's limits, and a fallback text for notifications. */
export default function slackBody(message: AlertMessage): object {
  const title = headline(message);
  const facts = labelledFacts(message).map(([label, value]) =>
    markdown(`*${label}*\n${escaped(value, 200)}`),
  );
  const about = entityLines(message)
    .slice(0, 10)
    .map((line) => `• ${escaped(line, 250)}`);
  return {
    text: escaped(`[${message.severity}] ${title}`, 1_000),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: truncate(title, 150) } },
      ...paragraphs(message).map((text) => section(escaped(text, 2_000))),
      { type: 'section', fields: facts.slice(0, 10) },
      ...(about.length > 0 ? [section(about.join('\n'))] : []),
      ...(message.link === ''
        ? []
        : [section(`<${escaped(message.link, 2_000)}|Open alert ${message.alertId}>`)]),
      { type: 'context', elements: [{ type: 'plain_text', text: `Delivery ${message.deliveryId}` }] },
    ],
  };
}
