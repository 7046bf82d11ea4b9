import type { Dataset } from '../../search/dataset.ts';

export const auditLogs: Dataset = {
  name: 'AuditLogs',
  description: 'Who changed what, and when.',
  table: 'audit_log',
  columns: {
    createdTime: { type: 'time', column: 'created_at', description: 'When it happened.' },
    accountName: {
      type: 'string',
      column: 'account_name',
      description: 'Account it happened in, in upper case.',
    },
    userName: { type: 'string', column: 'user_name', description: 'Who did it: an e-mail address.' },
    eventName: { type: 'string', column: 'event_name', description: 'What kind of event it is.' },
    userAction: { type: 'string', column: 'user_action', description: 'What was done, in short.' },
    eventDescription: {
      type: 'string',
      column: 'event_description',
      description: 'What was done, as a sentence.',
    },
  },
  time: 'createdTime',
  key: 'id',
};
