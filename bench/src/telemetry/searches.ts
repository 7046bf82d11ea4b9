import type { RawSearch } from '../baselines/duckdb.ts';
import type { BenchRequest } from '../client.ts';
import { end, lastDays } from './data.ts';

export const path = '/api/v2/Activities/Connections';

interface Filter {
  readonly field: string;
  readonly expression: string;
  readonly value: string;
}

export interface BenchSearch {
  readonly name: string;
  readonly request: BenchRequest;
  readonly raw: RawSearch;
}

function benchSearch(name: string, days: number, filter?: Filter, condition = 'true'): BenchSearch {
  const filters = filter ? [filter] : [];
  return {
    name,
    request: { method: 'POST', path: `${path}/search`, body: { timeFilter: lastDays(days), filters } },
    raw: { start: end - days * 86_400_000, end, condition },
  };
}

/** Typical searches, each with its SQL condition. */
export function searches(host: string): BenchSearch[] {
  const hostname = 'dstEntityId.hostname';
  const services = '(sqs|sts)\\..*\\.amazonaws\\.com';
  return [
    benchSearch('24 hours', 1),
    benchSearch(
      '7 days, equal on a column',
      7,
      { field: 'numConns', expression: 'eq', value: '17' },
      '"numConns" = 17',
    ),
    benchSearch(
      '7 days, equal on a nested path',
      7,
      { field: 'srcEntityId.mid', expression: 'eq', value: host },
      `"srcEntityId.mid" = ${host}`,
    ),
    benchSearch(
      '7 days, ilike',
      7,
      { field: hostname, expression: 'ilike', value: '%UBUNTU%' },
      `"${hostname}" ilike '%UBUNTU%'`,
    ),
    benchSearch(
      '7 days, rlike',
      7,
      { field: hostname, expression: 'rlike', value: services },
      `regexp_full_match("${hostname}", '${services}')`,
    ),
  ];
}
