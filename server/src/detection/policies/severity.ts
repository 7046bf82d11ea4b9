import { Refusal } from '../../platform/errors.ts';
import { quoted } from '../../platform/quoted.ts';

export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof severities)[number];

/** Clients send any letter case and expect lower case in responses. */
export function readSeverity(given: string, where = 'severity'): Severity {
  const severity = severities.find((known) => known === given.toLowerCase());
  if (severity) return severity;
  throw new Refusal(
    'INVALID_INPUT',
    `${where} must be one of ${severities.join(', ')}, not ${quoted(given)}.`,
  );
}
