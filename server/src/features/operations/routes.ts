import { Type } from 'typebox';
import { content } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';
import { ThrottledResult } from '../../http/throttled-result.ts';
import type { MetricsCollector } from '../../platform/exposition.ts';
import { checkReadiness, type ReadinessCheck } from './readiness.ts';

const family = { name: 'Operations', description: 'For monitors and orchestrators. No tenant data.' };

const state = Type.Object({ status: Type.String({ maxLength: 20, description: 'ok' }) });

const readiness = Type.Object({
  status: Type.Enum(['ok', 'degraded'], {
    description: 'degraded: reading and signing in work, something else does not.',
  }),
  reasons: Type.Optional(
    Type.Array(Type.String({ maxLength: 500 }), { description: 'What does not work, and why.' }),
  ),
});

const getHealth = defineRoute({
  method: 'GET',
  path: '/healthz',
  family,
  summary: 'Tell that the process answers',
  access: 'public',
  rate: 'exempt',
  replies: { 200: state },
});

const getReadiness = defineRoute({
  method: 'GET',
  path: '/readyz',
  family,
  summary: 'Tell whether requests can be served now',
  access: 'public',
  description:
    'A full disk is reported as degraded with 200: a node that still answers searches must not be taken out of service.',
  rate: 'monitor',
  replies: { 200: readiness },
  refuses: ['UNAVAILABLE'],
});

const getMetrics = defineRoute({
  method: 'GET',
  path: '/metrics',
  family,
  summary: 'Show the counters in the format of Prometheus',
  access: 'public',
  rate: 'monitor',
  replies: { 200: content('text/plain; version=0.0.4; charset=utf-8', 'Counters and gauges.') },
});

export interface OperationsDeps {
  /** In the order in which they are asked: the first one that fails is named. */
  readonly readiness: () => readonly ReadinessCheck[];
  readonly collectors: () => readonly MetricsCollector[];
}

/** Anyone may ask for readiness and metrics: they are computed only so often, however many ask. */
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
