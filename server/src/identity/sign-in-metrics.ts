import { exposition } from '../platform/exposition.ts';
import type { SignInFailures } from './sign-in-failures.ts';

export function signInMetrics({ counts }: Pick<SignInFailures, 'counts'>): string {
  const samples = [...counts].flatMap(([kind, reasons]) =>
    [...reasons].map(([reason, count]) => ({ labels: { kind, reason }, value: count })),
  );
  return exposition({
    name: 'vedette_sign_in_failures_total',
    type: 'counter',
    help: 'Requests with a missing, wrong or throttled credential.',
    values: samples,
  });
}
