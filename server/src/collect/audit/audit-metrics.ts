import { exposition } from '../../platform/exposition.ts';

/** Counters since startup. */
export interface AuditCounts {
  messages: number;
  deletedMessages: number;
  objects: number;
  repeatedObjects: number;
  setAside: number;
  records: number;
  repeatedRecords: number;
  refusedRecords: number;
}

export function newAuditCounts(): AuditCounts {
  return {
    ...{ messages: 0, deletedMessages: 0, objects: 0, repeatedObjects: 0, setAside: 0 },
    ...{ records: 0, repeatedRecords: 0, refusedRecords: 0 },
  };
}

export function auditMetrics(counts: AuditCounts): string {
  return exposition(
    {
      name: 'vedette_audit_log_messages_total',
      type: 'counter',
      help: 'Messages of queues that announce audit logs; deleted once what they announce is durable.',
      values: { label: 'fate', of: { received: counts.messages, deleted: counts.deletedMessages } },
    },
    {
      name: 'vedette_audit_log_objects_total',
      type: 'counter',
      help: 'Announced audit logs by outcome.',
      values: {
        label: 'fate',
        of: { stored: counts.objects, repeated: counts.repeatedObjects, set_aside: counts.setAside },
      },
    },
    {
      name: 'vedette_audit_log_records_total',
      type: 'counter',
      help: 'Records of audit logs by outcome.',
      values: {
        label: 'fate',
        of: { stored: counts.records, repeated: counts.repeatedRecords, refused: counts.refusedRecords },
      },
    },
  );
}
