import { gcpActivity } from '../../../telemetry/datasets/LW_ACT_GCP_ACTIVITY.ts';
import { recordLimits } from '../../../telemetry/record-bounds.ts';
import type { LogFormat } from './log-format.ts';
import { membersOf } from './members.ts';

/** Entries of Cloud Logging. Those without the payload of an audit log are left out: a sink may have a wider filter. */
export const googleAuditLog: LogFormat = {
  dataset: gcpActivity,
  isLines: true,
  arrayIn: () => undefined,
  maxLength: recordLimits.characters,
  records: (value) => ('methodName' in membersOf(membersOf(JSON.parse(value)).protoPayload) ? [value] : []),
};
