import type { Scanner } from './control/scan/scanner.ts';
import type { ControlStore } from './control/store.ts';
import type { ReadinessCheck } from './features/operations/readiness.ts';
import { Refusal } from './platform/errors.ts';
import type { Telemetry } from './telemetry/telemetry.ts';

export interface ReadinessDeps {
  readonly store: Pick<ControlStore, 'ping' | 'isDiskFull'>;
  readonly telemetry: Pick<Telemetry, 'diskReadiness'>;
  readonly scanner: Pick<Scanner, 'pool'>;
  /** The threads that read long queries. */
  readonly readings: { readonly fault: string | undefined };
  isStopping(): boolean;
}

/** What `/readyz` asks, the most telling first. */
export function readinessChecks(deps: ReadinessDeps): ReadinessCheck[] {
  const { store, telemetry, scanner, readings } = deps;
  const stopping = () =>
    deps.isStopping() ? 'The service is stopping: send requests elsewhere.' : undefined;
  return [
    { name: 'service', check: () => refuseIf(stopping()) },
    { name: 'control store', check: () => controlReadiness(store) },
    { name: 'telemetry store', check: () => telemetry.diskReadiness() },
    { name: 'search threads', check: () => refuseIf(scanner.pool.fault) },
    { name: 'query threads', check: () => refuseIf(readings.fault) },
  ];
}

function refuseIf(fault: string | undefined): undefined {
  if (fault !== undefined) throw new Refusal('UNAVAILABLE', fault);
}

async function controlReadiness(store: ReadinessDeps['store']): Promise<string | undefined> {
  await store.ping();
  return store.isDiskFull
    ? 'The disk of the control store is full: signing in and reading work, changes are refused.'
    : undefined;
}
