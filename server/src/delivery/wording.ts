import type { AlertMessage, NamedEntities } from '../alerts/alert-message.ts';

const beginnings = {
  opened: 'New alert',
  updated: 'Alert updated',
  closed: 'Alert closed',
  test: 'Test alert',
} as const;

/** What happened, in one line. */
export function headline({ occasion, alertName }: AlertMessage): string {
  return oneLine(`${beginnings[occasion]}: ${alertName}`);
}

/** What people want to know first, by label. */
export function factsOf(message: AlertMessage): readonly (readonly [label: string, value: string])[] {
  const { severity, account, alertId, category, source, policyId, startTime, violations } = message;
  const facts = [
    ['Severity', severity],
    ['Account', account],
    ['Alert', String(alertId)],
    ['Category', category],
    ['Source', source],
    ['Policy', policyId],
    ['Since', startTime],
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

/** The subject and the description, once where they say the same. */
export function paragraphs({ subject, description, alertName }: AlertMessage): readonly string[] {
  return [...new Set([subject, description])].filter((text) => text !== '' && text !== alertName);
}

/** Names are chosen by others: none of them may look like a line of ours. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Control}\s]+/gu, ' ').trim();
}
