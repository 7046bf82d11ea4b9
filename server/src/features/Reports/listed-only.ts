import { severities } from '../../detection/policies/severity.ts';
import { Refusal } from '../../platform/errors.ts';
import { quoted } from '../../platform/quoted.ts';
import type { ListedOnly } from '../../reports/compliance/plan.ts';
import { type Recommendation, reportStatuses } from '../../reports/compliance/report.ts';

/** The lists of severities and statuses of a request, in any letter case. */
export function readListedOnly({ severity, status }: { severity?: string; status?: string }): ListedOnly {
  return {
    ...(severity && {
      severities: indexesIn(severities, severity, 'severity').map(
        (index) => (index + 1) as Recommendation['severity'],
      ),
    }),
    ...(status && {
      statuses: indexesIn(reportStatuses, status, 'status').flatMap((index) => reportStatuses[index] ?? []),
    }),
  };
}

function indexesIn(known: readonly string[], given: string, member: string): number[] {
  return given.split(',').map((word) => {
    const plain = word.trim().toLowerCase().replaceAll('-', '');
    const index = known.findIndex((one) => one.toLowerCase() === plain);
    if (index >= 0) return index;
    throw new Refusal(
      'INVALID_INPUT',
      `${member} must be a list of ${known.join(', ')}, separated by commas, not ${quoted(word)}.`,
    );
  });
}
