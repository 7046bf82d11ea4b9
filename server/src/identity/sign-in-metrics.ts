import { exposition } from '../platform/exposition.ts';
import type { SignInFailures } from './sign-in-failures.ts';

export function signInMetrics({ counts }: Pick<SignInFailures, 'counts'>): string {
  const samples = [...counts].flatMap(([kind, reasons]) =>
    [...reasons].map(([reason, count]) => ({ labels: { kind, reason }, value: count })),
  );
  return exposition({
    name: 'vedette_sign_in_failures_total',
    type: 'counter',
    help: 'Requests with a missing or a wrong credential, or with one for which wrong secrets were given too often.',
    values: samples,
  });
}
