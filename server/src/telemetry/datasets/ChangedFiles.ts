import { batchWindow } from '../batch-columns.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { mid, window } from '../members.ts';

export const changedFiles: TelemetryDataset = {
  path: 'Activities/ChangedFiles',
  description: 'Files that were added or changed, by the hour.',
  members: {
    ...window,
    ...mid,
    filePath: { type: 'string', description: 'Full path of the file.' },
    filedataHash: { type: 'string', description: 'SHA-256 of the content, in hexadecimal.' },
    mtime: { type: 'string', description: 'When the content changed, in epoch milliseconds.' },
    size: { type: 'integer', description: 'Bytes.' },
    threatInfo: {
      type: 'string',
      description: 'Details of a malicious file, as JSON in a string; the string null if there are none.',
      optional: true,
    },
    activity: { type: 'string', description: 'Kind of change of the file.', optional: true },
    activityStartTime: { type: 'time', description: 'Start of the activity.', optional: true },
    activityEndTime: { type: 'time', description: 'End of the activity.', optional: true },
  },
  range: { by: 'start' },
  identity: ['mid', 'filePath', 'filedataHash', 'startTime', 'endTime'],
  search: { isPaged: true },
  datasources: [
    {
      name: 'LW_HA_FILE_CHANGES',
      description: 'Files that were added or changed.',
      columns: {
        ...batchWindow,
        ACTIVITY_START_TIME: ['activityStartTime', 'startTime'],
        ACTIVITY_END_TIME: ['activityEndTime', 'endTime'],
        MID: 'mid',
        PATH: 'filePath',
        ACTIVITY: 'activity',
        FILEDATA_HASH: 'filedataHash',
        LAST_MODIFIED_TIME: { from: 'mtime', type: 'Timestamp', description: 'When the content changed.' },
        SIZE: 'size',
      },
      time: ['BATCH_START_TIME'],
    },
  ],
};
