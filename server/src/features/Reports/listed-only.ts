import { severities } from '../../detection/policies/severity.ts';
import { Refusal } from '../../platform/errors.ts';
import { quoted } from '../../platform/quoted.ts';
import type { ListedOnly } from '../../reports/compliance/plan.ts';
import { reportStatuses } from '../../reports/compliance/report.ts';
import { severityNumber } from '../../reports/compliance/severity-number.ts';

/** The lists of severities and statuses of a request; the letter case does not matter. */
export function readListedOnly({ severity, status }: { severity?: string; status?: string }): ListedOnly {
  return {
    ...(severity && { severities: wordsOf(severities, severity, 'severity').map(severityNumber) }),
    ...(status && { statuses: wordsOf(reportStatuses, status, 'status') }),
  };
}

function wordsOf<Word extends string>(known: readonly Word[], given: string, member: string): Word[] {
  return given.split(',').map((word) => {
    const plain = word.trim().toLowerCase().replaceAll('-', '');
    const found = known.find((one) => one.toLowerCase() === plain);
    if (found) return found;
    throw new Refusal(
      'INVALID_INPUT',
      `${member} must be a list of ${known.join(', ')}, separated by commas, not ${quoted(word)}.`,
    );
  });
}
