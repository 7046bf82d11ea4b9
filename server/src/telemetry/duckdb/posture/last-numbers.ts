import type { DuckDBConnection } from '@duckdb/node-api';
import { evaluatedPoliciesTable, evaluationsTable } from '../inventory/posture-tables.ts';

/** The last id of an evaluation, and the last revision. */
export interface LastNumbers {
  readonly id: number;
  readonly revision: number;
}

export async function lastNumbers(connection: DuckDBConnection): Promise<LastNumbers> {
  const rows = await connection.runAndReadAll(
    `select coalesce(max(id), 0), greatest(coalesce(max(opened), 0), coalesce(max(closed), 0),
      (select coalesce(max(revision), 0) from ${evaluatedPoliciesTable})) from ${evaluationsTable}`,
  );
  const [id, revision] = rows.getRows()[0] ?? [];
  return { id: Number(id), revision: Number(revision) };
}
