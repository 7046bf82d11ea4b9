import type { TelemetryDataset } from '../../dataset.ts';
import type { MemberTree } from '../../member-tree.ts';
import { typedTree } from '../../well-typed.ts';
import { quoted } from '../engine/engine.ts';
import { sqlTypeOf, typedColumns } from '../sql/columns.ts';
import { identifier } from '../sql/sql.ts';

/**
 * Rows built from well-typed documents: each is parsed once into one structure. In other documents it would convert
 * strings to numbers and lose numbers out of range.
 */
export function wellTypedRowsSql(dataset: TelemetryDataset, source: string): string {
  const { range } = dataset;
  const [start, end] =
    range.by === 'instant'
      ? [timestampSql([range.member]), 'null']
      : [timestampSql(['startTime']), timestampSql(['endTime'])];
  const values = typedColumns(dataset).map(({ steps, type }) =>
    type === 'time' ? timestampSql(steps) : at(steps),
  );
  const row = ['account', 'seq', 'n', start, end, ...values, 'false', 'doc'];
  const structure = quoted(JSON.stringify(structureOf(typedTree(dataset))));
  return `select ${row.join(', ')} from (select *, json_transform(doc, ${structure}) as v from (${source}))`;
}

type Structure = { readonly [name: string]: string | Structure };

function structureOf(tree: MemberTree): Structure {
  return Object.fromEntries(
    [...tree].flatMap(([name, below]): [string, string | Structure][] => {
      if (below instanceof Map) {
        const inner = structureOf(below);
        // No member has a column, and the engine rejects an empty structure.
        return Object.keys(inner).length > 0 ? [[name, inner]] : [];
      }
      if (below.type === 'json') return [];
      return [[name, below.type === 'time' ? 'varchar' : sqlTypeOf({ type: below.type })]];
    }),
  );
}

function at(steps: readonly string[]): string {
  return ['v', ...steps.map((step) => identifier(step).sql)].join('.');
}

function timestampSql(steps: readonly string[]): string {
  return `epoch_ms(${at(steps)}::timestamptz)`;
}
