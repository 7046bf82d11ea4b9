import { type Kysely, sql } from 'kysely';
import { Refusal } from '../platform/errors.ts';
import type { ControlTransaction } from './store.ts';
import type { Tables } from './tables.ts';

/** Per owner and table, and per family in tables with several: lists are not paged, so this bounds each response. */
const maxRows = 10_000;
const maxBytes = 32 * 1024 * 1024;

/** Limited tables with their columns of variable length. */
const limited = {
  integrations: { noun: 'integrations', columns: ['data', 'secrets', 'props'] },
  rules: { noun: 'rules', columns: ['filters', 'channels', 'report_types'] },
  agent_tokens: { noun: 'agent access tokens', columns: ['props'] },
  resource_groups: { noun: 'resource groups', columns: ['description', 'query', 'props'] },
  alert_profiles: { noun: 'alert profiles', columns: ['alerts'] },
  policies: {
    noun: 'policies',
    columns: ['description', 'remediation', 'tags', 'exception_configuration'],
  },
  queries: { noun: 'queries', columns: ['query_text', 'description', 'usage_context', 'result_schema'] },
  policy_exceptions: { noun: 'policy exceptions', columns: ['description', 'constraints'] },
  report_definitions: {
    noun: 'report definitions',
    columns: ['report_definition', 'props', 'alert_channels'],
  },
  report_distributions: { noun: 'report distributions', columns: ['alert_channels', 'data'] },
} as const satisfies {
  [Table in keyof Tables]?: { noun: string; columns: readonly (keyof Tables[Table])[] };
};

type LimitedTable = keyof typeof limited;

/**
 * Refuses a row just written if its owner now exceeds the quota. A change that does not enlarge a row is always
 * accepted. Concurrent changes do not see each other: each may exceed the quota by its own row.
 */
export async function checkQuota<Table extends LimitedTable>(
  tx: ControlTransaction,
  table: Table,
  row: Tables[Table],
  before?: Tables[Table],
): Promise<void> {
  if (before && bytesOf(table, row) <= bytesOf(table, before)) return;
  const { noun, columns } = limited[table];
  const lengths = columns.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`);
  const family = 'family' in row ? { family: row.family } : {};
  const { rows, bytes } = await (tx as unknown as Kysely<Record<string, Record<string, unknown>>>)
    .selectFrom(table as string)
    .select(sql<number>`count(*)`.as('rows'))
    .select(sql<number>`sum(${sql.join(lengths, sql` + `)})`.as('bytes'))
    .where((is) => is.and({ owner_id: row.owner_id, ...family }))
    .executeTakeFirstOrThrow();
  const what = 'family' in row ? `${noun} in ${row.family}` : noun;
  if (!before && Number(rows) > maxRows)
    throw new Refusal(
      'CONFLICT',
      `The account already has ${maxRows} ${what}, the maximum: delete one first.`,
    );
  if (Number(bytes) > maxBytes)
    throw new Refusal(
      'CONFLICT',
      `The ${what} of the account would take ${bytes} bytes, more than the maximum of ${maxBytes}: shorten this one or delete others.`,
    );
}

function bytesOf<Table extends LimitedTable>(table: Table, row: Tables[Table]): number {
  const columns: readonly string[] = limited[table].columns;
  const values = columns.map((column) => (row as Record<string, unknown>)[column]);
  return values.reduce<number>((sum, value) => sum + Buffer.byteLength(String(value ?? '')), 0);
}
