import { auditMetrics } from '../collect/audit/audit-metrics.ts';
import { AuditCollector } from '../collect/audit/collector.ts';
import { logPool } from '../collect/audit/log-pool.ts';
import { auditSources } from '../collect/audit/sources.ts';
import { BulkOutbound } from '../outbound/bulk-outbound.ts';
import { nodeIdOf } from '../platform/node-id.ts';
import type { ControlStoreModule } from './control-store.ts';
import type { DeliveryModule } from './delivery.ts';
import { hour, type Module, type ModuleContext, second } from './module.ts';
import type { TelemetryModule } from './telemetry.ts';

export interface AuditLogsDeps {
  readonly control: ControlStoreModule;
  readonly telemetry: TelemetryModule;
  readonly delivery: DeliveryModule;
}

/** Brings in the audit logs of clouds, through the queues of cloud account integrations. */
export async function auditLogsModule(
  { configuration, clock, log }: ModuleContext,
  { control: { store, keyring }, telemetry: { telemetry }, delivery: { transports } }: AuditLogsDeps,
): Promise<Module> {
  const outbound = new BulkOutbound({ allowsPrivate: configuration.VEDETTE_ALLOW_PRIVATE_TARGETS });
  const pool = logPool();
  const collector = new AuditCollector({
    ...{ store, keyring, clock, log, pool, intake: telemetry.intake },
    sources: auditSources({ ...transports, outbound, clock }),
    node: nodeIdOf(configuration.VEDETTE_DATA_DIR, true),
  });
  await collector.takeOver();
  return {
    jobs: [
      { name: 'audit logs', milliseconds: second, run: () => collector.poll() },
      { name: 'audit log leases', milliseconds: 15 * second, run: () => collector.renewLeases() },
      { name: 'audit log ledger', milliseconds: hour, run: () => collector.deleteExpired() },
    ],
    metrics: [() => auditMetrics(collector.counts)],
    queues: {
      audit_queues: () => ({ running: collector.running }),
      audit_logs: () => ({ running: collector.logs.running, waiting: collector.logs.waiting }),
    },
    stop: () => collector.stop(),
    close: async () => {
      await collector.settled();
      await pool.close();
      await outbound.close();
    },
  };
}
