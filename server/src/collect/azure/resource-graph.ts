import { CollectError } from '../inventory/problem.ts';
import type { AzureApi } from './azure-api.ts';
import type { GraphTable } from './service.ts';

const path = '/providers/Microsoft.ResourceGraph/resources?api-version=2022-10-01';
/** Documented: 15 queries in 5 seconds for each principal. */
const rate = { perSecond: 3 };
const pageRows = 1_000;
const maxPages = 1_000;

export interface GraphQuery {
  readonly table: GraphTable;
  /** Lower-case types; all types of the table if there are none. */
  readonly types: readonly string[];
  /** All columns by default. */
  readonly columns?: readonly string[];
  readonly subscription: string;
}

/** The rows of a table, in pages. Throws if Resource Graph returned only a part of them. */
export async function* graphRows(
  api: AzureApi,
  query: GraphQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly unknown[]> {
  const body = { subscriptions: [query.subscription], query: kustoQuery(query) };
  const options = { resultFormat: 'objectArray', $top: pageRows };
  const tokens = new Set<string>();
  for (let token: string | undefined; ; ) {
    const reply = await api.call(
      {
        ...{ api: 'management', path, budget: 'Resource Graph', rate },
        body: { ...body, options: { ...options, ...(token !== undefined && { $skipToken: token }) } },
      },
      signal,
    );
    if (!Array.isArray(reply.data)) throw failed(`Resource Graph returned no rows of ${query.table}.`);
    yield reply.data;
    const next = reply.$skipToken;
    if (typeof next !== 'string' || next === '') {
      if (isTrue(reply.resultTruncated))
        throw failed(`Resource Graph truncated its result for ${query.table}, and returned no next page.`);
      return;
    }
    if (tokens.has(next) || tokens.size >= maxPages)
      throw failed(
        `Resource Graph returned more than ${tokens.size} pages of ${query.table}, or the same again.`,
      );
    tokens.add(next);
    token = next;
  }
}

/** Types are declared, so that no input of a user gets into the query. Pages are stable only in an order. */
function kustoQuery({ table, types, columns }: GraphQuery): string {
  return [
    table,
    ...(types.length > 0 ? [`where type in~ (${types.map((type) => `'${type}'`).join(',')})`] : []),
    ...(columns ? [`project ${columns.join(', ')}`] : []),
    'order by id asc',
  ].join(' | ');
}

function failed(reason: string): CollectError {
  return new CollectError({ status: 'failed', reason });
}

/** Documented as a string. */
function isTrue(value: unknown): boolean {
  return String(value).toLowerCase() === 'true';
}
