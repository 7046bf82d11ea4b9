import type { AlertMessage, NamedEntities } from '../alerts/alert-message.ts';

const beginnings = {
  opened: 'New alert',
  updated: 'Alert updated',
  closed: 'Alert closed',
  test: 'Test message',
} as const;

/** What happened, in one line: the subject where it begins with the name of the alert, or else the name alone. */
export function headline(message: AlertMessage): string {
  return oneLine(`${beginnings[message.occasion]}: ${titleOf(message)}`);
}

/** The same of one of its resources: the subject may name another. */
export function resourceHeadline({ occasion, alertName }: AlertMessage, resource: { name: string }): string {
  return oneLine(`${beginnings[occasion]}: ${alertName} (${resource.name})`);
}

function titleOf({ alertName, subject }: AlertMessage): string {
  return subject.startsWith(alertName) ? subject : alertName;
}

/** What analysts look at first, by label. */
export function factsOf(message: AlertMessage): readonly (readonly [label: string, value: string])[] {
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

/**
 * One line for each kind of thing that the alert is about: the first names, and how many more there are. What joined it
 * comes first.
 */
export function entityLines(message: AlertMessage, mostNames = 5): readonly string[] {
  const { entities, newEntities = [] } = message;
  const line = (label: string, { kind, names, total }: NamedEntities) => {
    const shown = names.slice(0, mostNames);
    const more = total > shown.length ? ` and ${total - shown.length} more` : '';
    return oneLine(`${label}${kind}: ${shown.join(', ')}${more}`);
  };
  return [...newEntities.map((some) => line('New ', some)), ...entities.map((some) => line('', some))];
}

/** What happened, why it matters and what to do, without what the headline says and each once. */
export function paragraphs(message: AlertMessage): readonly string[] {
  const { subject, description, remediation = '' } = message;
  // Descriptions of predefined templates end with it.
  const whatToDo =
    remediation === '' || description.includes(remediation) ? '' : `What to do:\n${remediation}`;
  return [...new Set([subject, description, whatToDo])].filter(
    (text) => text !== '' && text !== titleOf(message) && text !== message.alertName,
  );
}

/** Names are chosen by other people: none of them may look like a line of the message. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Control}\s]+/gu, ' ').trim();
}
