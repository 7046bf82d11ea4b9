import { cloudTrailRawEvents } from '../../../telemetry/datasets/CloudTrailRawEvents.ts';
import { recordLimits } from '../../../telemetry/record-bounds.ts';
import type { LogFormat } from './log-format.ts';

export const cloudTrailLog: LogFormat = {
  dataset: cloudTrailRawEvents,
  arrayIn: () => 'Records',
  maxLength: recordLimits.characters,
  records: (value) => [value],
  accountMember: 'recipientAccountId',
};
