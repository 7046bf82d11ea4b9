import { auditLogRoutes } from '../features/AuditLogs/routes.ts';
import type { Module, ModuleContext } from './module.ts';
import type { RecordSearchModule } from './record-search.ts';

export function auditModule(
  { clock }: ModuleContext,
  { search: { scanner } }: { readonly search: RecordSearchModule },
): Module {
  return { routes: auditLogRoutes({ scanner, clock }) };
}
