import { Type } from 'typebox';
import type { Scanner } from '../../control/scan/scanner.ts';
import { recordSchema } from '../../http/dataset-record.ts';
import { JsonBytes } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';
import type { Clock } from '../../platform/clock.ts';
import { readSearch, type Search, SearchBody } from '../../search/request.ts';
import { readTimeRange, TimeRangeQuery } from '../../search/time-range.ts';
import { auditLogs } from './dataset.ts';

const maxRows = 100_000;

const record = recordSchema(auditLogs);
const family = { name: auditLogs.name, description: auditLogs.description, record, isDataset: true };
const replies = {
  200: Type.Object({ data: Type.Array(record, { description: 'The entries, newest first.' }) }),
};

const listAuditLogs = defineRoute({
  method: 'GET',
  path: '/api/v2/AuditLogs',
  family,
  summary: 'List the audit log entries of a time range',
  description: `The default time range is the last 24 hours. Returns at most ${maxRows} entries.`,
  access: 'read',
  org: true,
  cancellable: true,
  query: TimeRangeQuery,
  replies,
  refuses: ['INVALID_TIME_RANGE', 'RESULT_TOO_LARGE'],
});

const searchAuditLogs = defineRoute({
  method: 'POST',
  path: '/api/v2/AuditLogs/search',
  family,
  summary: 'Search the audit log',
  description: `The default time range is the last 24 hours. Returns at most ${maxRows} entries.`,
  access: 'read',
  org: true,
  cancellable: true,
  body: SearchBody,
  replies,
  refuses: ['INVALID_TIME_RANGE', 'INVALID_FIELD', 'INVALID_FILTER', 'RESULT_TOO_LARGE'],
});

export const auditLogRoutes = ({ scanner, clock }: { scanner: Scanner; clock: Clock }) => {
  const scan = async (ownerId: string, search: Search, signal: AbortSignal) => {
    const page = await scanner.scan({ dataset: auditLogs, ownerId, search, maxRows }, signal);
    return { status: 200, body: JsonBytes.disposable(page) } as const;
  };
  return [
    listAuditLogs.handle(({ scope, query, signal }) => {
      const search = { range: readTimeRange(query, clock.now()), filters: [], returns: undefined };
      return scan(scope.ownerId, search, signal);
    }),
    searchAuditLogs.handle(({ scope, body, signal }) =>
      scan(scope.ownerId, readSearch(body, auditLogs, clock.now()), signal),
    ),
  ];
};
