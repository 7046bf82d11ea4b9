import type { AlertMessage } from '../alerts/alert-message.ts';

const beginnings = { opened: 'New alert', closed: 'Alert closed', test: 'Test alert' } as const;

/** What happened, in one line. */
export function headline({ occasion, alertName }: AlertMessage): string {
  return `${beginnings[occasion]}: ${alertName}`;
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
  return facts.filter(([, value]) => value !== '');
}

/** One line for each kind of thing that the alert is about: the first names, and how many more there are. */
export function entityLines({ entities }: AlertMessage, mostNames = 5): readonly string[] {
  return entities.map(({ kind, names, total }) => {
    const shown = names.slice(0, mostNames);
    const more = total > shown.length ? ` and ${total - shown.length} more` : '';
    return `${kind}: ${shown.join(', ')}${more}`;
  });
}
