import { azureActivityLog } from './azure-activity-log.ts';
import { cloudTrailLog } from './cloudtrail-log.ts';
import { eksAuditLog } from './eks-audit-log.ts';
import { gkeAuditLog } from './gke-audit-log.ts';
import { googleAuditLog } from './google-audit-log.ts';
import type { LogFormat } from './log-format.ts';

export const logFormats = {
  cloudTrail: cloudTrailLog,
  eksAudit: eksAuditLog,
  gkeAudit: gkeAuditLog,
  googleAudit: googleAuditLog,
  azureActivity: azureActivityLog,
} as const satisfies Readonly<Record<string, LogFormat>>;

export type LogFormatName = keyof typeof logFormats;
