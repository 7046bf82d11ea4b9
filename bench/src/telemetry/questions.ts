import type { RawQuestion } from '../baselines/duckdb.ts';
import type { Question } from '../client.ts';
import { end, lastDays } from './data.ts';

export const path = '/api/v2/Activities/Connections';

interface Filter {
  readonly field: string;
  readonly expression: string;
  readonly value: string;
}

export interface Asked {
  readonly name: string;
  readonly question: Question;
  readonly raw: RawQuestion;
}

function asked(name: string, days: number, filter?: Filter, condition = 'true'): Asked {
  const filters = filter ? [filter] : [];
  return {
    name,
    question: { method: 'POST', path: `${path}/search`, body: { timeFilter: lastDays(days), filters } },
    raw: { start: end - days * 86_400_000, end, condition },
  };
}

/** The searches that people do, and the condition that each is for an engine. */
export function questions(machine: string): Asked[] {
  const hostname = 'dstEntityId.hostname';
  const services = '(sqs|sts)\\..*\\.amazonaws\\.com';
  return [
    asked('24 hours', 1),
    asked(
      '7 days, equal on a column',
      7,
      { field: 'numConns', expression: 'eq', value: '17' },
      '"numConns" = 17',
    ),
    asked(
      '7 days, equal on a nested path',
      7,
      { field: 'srcEntityId.mid', expression: 'eq', value: machine },
      `"srcEntityId.mid" = ${machine}`,
    ),
    asked(
      '7 days, ilike',
      7,
      { field: hostname, expression: 'ilike', value: '%UBUNTU%' },
      `"${hostname}" ilike '%UBUNTU%'`,
    ),
    asked(
      '7 days, rlike',
      7,
      { field: hostname, expression: 'rlike', value: services },
      `regexp_full_match("${hostname}", '${services}')`,
    ),
  ];
}
