import type { AlertMessage, Severity } from '../../../alerts/alert-message.ts';
import { condensed, withinJsonBytes } from '../../condensed.ts';
import { entityLines, headline, labelledFacts, paragraphs } from '../../wording.ts';

/** Teams accepts 28 KB but counts more than is sent: cards of about 21 KB were rejected. */
const limit = 20_000;

type Color = 'Attention' | 'Warning' | 'Accent' | 'Good' | 'Default';

const colors: Readonly<Record<Severity, Color>> = {
  Critical: 'Attention',
  High: 'Attention',
  Medium: 'Warning',
  Low: 'Accent',
  Info: 'Default',
};

/**
 * An Adaptive Card in a message, the only format that both workflows and legacy connectors accept. Only legacy
 * connectors accept a MessageCard.
 */
export default function teamsMessage(message: AlertMessage) {
  return condensed(message, rendered, withinJsonBytes(limit));
}

function rendered(message: AlertMessage) {
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.2',
          msteams: { width: 'Full' },
          body: [
            block({ text: headline(message), size: 'Large', weight: 'Bolder', color: colorOf(message) }),
            ...paragraphs(message).map((text) => block({ text })),
            ...labelledFacts(message).map(([label, value]) =>
              block({ text: `${label}: `, weight: 'Bolder' }, { text: value }),
            ),
            ...entityLines(message).map((text) => block({ text })),
            block({ text: `Delivery ${message.deliveryId}` }),
          ],
          actions: actions(message),
        },
      },
    ],
  };
}

function actions({ link, alertId }: AlertMessage) {
  return link === '' ? [] : [{ type: 'Action.OpenUrl', title: `Open alert ${alertId}`, url: link }];
}

interface Run {
  readonly text: string;
  readonly size?: 'Large';
  readonly weight?: 'Bolder';
  readonly color?: Color;
}

/** Text runs are shown verbatim; a TextBlock or FactSet would render names as Markdown. */
function block(...runs: readonly Run[]) {
  return { type: 'RichTextBlock', inlines: runs.map((run) => ({ type: 'TextRun', ...run })) };
}

function colorOf({ occasion, severity }: AlertMessage): Color {
  if (occasion === 'test') return 'Default';
  return occasion === 'closed' ? 'Good' : colors[severity];
}
