import { BIGINT, type DuckDBConnection, VARCHAR } from '@duckdb/node-api';
import { createTextTable } from '../inventory/text-columns.ts';
import type { PolicyExtent } from './extent.ts';

/** Violations whose exceptions are looked up at a time, without blocking the event loop for long. */
const pageLimit = { rows: 200, bytes: 4 * 1024 * 1024 };

/** Fills `exempt`: the violations in `found` that an exception covers. */
export async function createExempt(
  connection: DuckDBConnection,
  evaluated: readonly PolicyExtent[],
): Promise<void> {
  const exempt: { policy: string; key: string; exception: string }[] = [];
  for (const { policy } of evaluated) {
    if (!policy.exceptionsOf) continue;
    for (const range of await foundPages(connection, policy.id)) {
      const some = await readFound(connection, policy.id, range);
      const exceptions = policy.exceptionsOf(some.map(([, row]) => row));
      for (const [at, [key]] of some.entries()) {
        const exception = exceptions[at];
        if (exception !== undefined) exempt.push({ policy: policy.id, key, exception });
      }
    }
  }
  await createTextTable(connection, 'exempt', exempt, {
    policy: ['varchar', ({ policy }) => policy],
    key: ['varchar', ({ key }) => key],
    exception: ['varchar', ({ exception }) => exception],
  });
}

interface RowRange {
  readonly first: bigint;
  last: bigint;
}

async function foundPages(connection: DuckDBConnection, policy: string): Promise<readonly RowRange[]> {
  const sizes = await connection.runAndReadAll(
    'select rowid, strlen(result) from found where policy = $policy order by rowid',
    { policy },
  );
  const pages: (RowRange & { rows: number; bytes: number })[] = [];
  for (const [row, size] of sizes.getRows() as [bigint, bigint][]) {
    const page = pages.at(-1);
    const bytes = Number(size);
    if (!page || page.rows >= pageLimit.rows || page.bytes + bytes > pageLimit.bytes)
      pages.push({ first: row, last: row, rows: 1, bytes });
    else Object.assign(page, { last: row, rows: page.rows + 1, bytes: page.bytes + bytes });
  }
  return pages;
}

async function readFound(
  connection: DuckDBConnection,
  policy: string,
  { first, last }: RowRange,
): Promise<[key: string, row: string][]> {
  const rows = await connection.runAndReadAll(
    'select key, result from found where policy = $policy and rowid between $first and $last',
    { policy, first, last },
    { policy: VARCHAR, first: BIGINT, last: BIGINT },
  );
  return rows.getRows() as [string, string][];
}
