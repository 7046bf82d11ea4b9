import { Type } from 'typebox';
import { content } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';
import { ThrottledResult } from '../../http/throttled-result.ts';
import type { MetricsCollector } from '../../platform/exposition.ts';
import { checkReadiness, type ReadinessCheck } from './readiness.ts';

const family = {
  name: 'Operations',
  description: 'Health, readiness and metrics for monitoring and orchestration. No tenant data.',
};

const state = Type.Object({ status: Type.String({ maxLength: 20, description: 'ok' }) });

const readiness = Type.Object({
  status: Type.Enum(['ok', 'degraded'], {
    description: 'degraded: reads and sign-in work, some other functions do not.',
  }),
  reasons: Type.Optional(
    Type.Array(Type.String({ maxLength: 500 }), { description: 'Reasons for degraded service.' }),
  ),
});

const getHealth = defineRoute({
  method: 'GET',
  path: '/healthz',
  family,
  summary: 'Check that the process responds',
  access: 'public',
  rate: 'exempt',
  replies: { 200: state },
});

const getReadiness = defineRoute({
  method: 'GET',
  path: '/readyz',
  family,
  summary: 'Check whether requests can be served',
  access: 'public',
  description:
    'A full disk or failing report threads are reported as degraded with 200, because a node that can still serve searches ' +
    'should stay in service.',
  rate: 'monitor',
  replies: { 200: readiness },
  refuses: ['UNAVAILABLE'],
});

const getMetrics = defineRoute({
  method: 'GET',
  path: '/metrics',
  family,
  summary: 'Get metrics in Prometheus format',
  access: 'public',
  rate: 'monitor',
  replies: { 200: content('text/plain; version=0.0.4; charset=utf-8', 'Counters and gauges.') },
});

export interface OperationsDeps {
  /** In the order of execution: the first failed check determines the response. */
  readonly readiness: () => readonly ReadinessCheck[];
  readonly collectors: () => readonly MetricsCollector[];
}

/** Readiness and metrics are public, so the rate at which they are computed is limited. */
export const operationsRoutes = ({ readiness, collectors }: OperationsDeps) => {
  const ready = new ThrottledResult(() => checkReadiness(readiness()));
  const metrics = new ThrottledResult(async () => {
    const sections = await Promise.all(collectors().map((collect) => collect()));
    return Buffer.from(`${sections.map((text) => text.trimEnd()).join('\n')}\n`);
  });
  return [
    getHealth.handle(async () => ({ status: 200, body: { status: 'ok' } })),
    getReadiness.handle(async () => {
      const reasons = await ready.get();
      if (reasons.length === 0) return { status: 200, body: { status: 'ok' as const } };
      return { status: 200, body: { status: 'degraded' as const, reasons } };
    }),
    getMetrics.handle(async () => ({ status: 200, body: await metrics.get() })),
  ];
};
