import type { Dataset } from '../../search/dataset.ts';

export const auditLogs: Dataset = {
  name: 'AuditLogs',
  description: 'Changes made by users and by the service.',
  table: 'audit_log',
  columns: {
    createdTime: { type: 'time', column: 'created_at', description: 'Time of the event.' },
    accountName: {
      type: 'string',
      column: 'account_name',
      description: 'Account of the event, in upper case.',
    },
    userName: {
      type: 'string',
      column: 'user_name',
      description: 'User who caused the event: an e-mail address.',
    },
    eventName: { type: 'string', column: 'event_name', description: 'Kind of event.' },
    userAction: { type: 'string', column: 'user_action', description: 'Short name of the action.' },
    eventDescription: {
      type: 'string',
      column: 'event_description',
      description: 'Description of the action, as a sentence.',
    },
  },
  time: 'createdTime',
  key: 'id',
};
