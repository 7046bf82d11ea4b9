import type { AlertMessage, NamedEntities } from '../alerts/alert-message.ts';

const prefixes = {
  opened: 'New alert',
  updated: 'Alert updated',
  closed: 'Alert closed',
  test: 'Test message',
} as const;

/** A one-line title: the subject if it begins with the alert name, otherwise the alert name. */
export function headline(message: AlertMessage): string {
  return oneLine(`${prefixes[message.occasion]}: ${titleOf(message)}`);
}

/** The title for one of its resources: the subject may name another one. */
export function resourceHeadline({ occasion, alertName }: AlertMessage, resource: { name: string }): string {
  return oneLine(`${prefixes[occasion]}: ${alertName} (${resource.name})`);
}

function titleOf({ alertName, subject }: AlertMessage): string {
  return subject.startsWith(alertName) ? subject : alertName;
}

/** The facts that analysts need first, by label. */
export function labelledFacts(message: AlertMessage): readonly (readonly [label: string, value: string])[] {
  const { severity, account, alertId, category, source, policyId, startTime, violations } = message;
  const { firstEventTime = '', lastEventTime = '' } = message;
  const isSpan = lastEventTime !== '' && lastEventTime !== firstEventTime;
  const facts = [
    ['Severity', severity],
    ['Account', account],
    ['Alert', String(alertId)],
    ['Category', category],
    ['Source', source],
    ['Policy', policyId],
    ['Raised', startTime],
    ['Happened', isSpan ? `${firstEventTime} to ${lastEventTime}` : firstEventTime],
    ['Violations', String(violations)],
  ] as const;
  return facts.filter(([, value]) => value !== '').map(([label, value]) => [label, oneLine(value)]);
}

/** One line per kind of entity, new ones first: the first names and the number of further ones. */
export function entityLines(message: AlertMessage, maxNames = 5): readonly string[] {
  const { entities, newEntities = [] } = message;
  const line = (label: string, { kind, names, total }: NamedEntities) => {
    const shown = names.slice(0, maxNames);
    const more = total > shown.length ? ` and ${total - shown.length} more` : '';
    return oneLine(`${label}${kind}: ${shown.join(', ')}${more}`);
  };
  return [...newEntities.map((some) => line('New ', some)), ...entities.map((some) => line('', some))];
}

/** Subject, description and remediation, without duplicates of the headline. */
export function paragraphs(message: AlertMessage): readonly string[] {
  const { subject, description, remediation = '' } = message;
  // The descriptions of predefined templates already contain it.
  const guidance =
    remediation === '' || description.includes(remediation) ? '' : `What to do:\n${remediation}`;
  return [...new Set([subject, description, guidance])].filter(
    (text) => text !== '' && text !== titleOf(message) && text !== message.alertName,
  );
}

/** Names are untrusted: none may look like a line of the message. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Control}\s]+/gu, ' ').trim();
}
