import type { Clock } from './clock.ts';
import type { Configuration } from './configuration.ts';

/** Records before this timestamp are removed. */
export function retainedSince({ configuration, clock }: RetentionContext): number {
  return clock.now() - configuration.VEDETTE_RETENTION_DAYS * 86_400_000;
}

export interface RetentionContext {
  readonly configuration: Pick<Configuration, 'VEDETTE_RETENTION_DAYS'>;
  readonly clock: Clock;
}
