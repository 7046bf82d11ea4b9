import { queueGauges } from '../features/operations/queue-gauges.ts';
import { faultCheck } from '../features/operations/readiness.ts';
import { operationsRoutes } from '../features/operations/routes.ts';
import type { HttpMetrics } from '../http/metrics.ts';
import type { Module } from './module.ts';
import type { ModuleList } from './module-list.ts';

export interface OperationsDeps {
  readonly modules: Pick<ModuleList, 'readiness' | 'metrics' | 'queueGauges'>;
  readonly httpMetrics: HttpMetrics;
  isStopping(): boolean;
}

/** Health, readiness and metrics of all modules. */
export function operationsModule({ modules, httpMetrics, isStopping }: OperationsDeps): Module {
  const stopping = faultCheck('service', () =>
    isStopping() ? 'The service is stopping: send requests elsewhere.' : undefined,
  );
  return {
    routes: operationsRoutes({
      readiness: () => [stopping, ...modules.readiness],
      collectors: () => [
        () => httpMetrics.text(),
        ...modules.metrics,
        () => queueGauges(modules.queueGauges()),
      ],
    }),
  };
}
