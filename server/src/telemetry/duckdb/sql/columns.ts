import type { InnerMember, MemberType, TelemetryDataset } from '../../dataset.ts';
import { stepsOf } from '../../member-tree.ts';

/** A typed column for one member, so that searches need not parse the document. */
export interface TypedColumn {
  /** The member, or an object and the path below it, joined by a dot. */
  readonly name: string;
  readonly type: Exclude<MemberType, 'json'>;
  /** The path of the member in the document. */
  readonly steps: readonly string[];
  /** The same as a DuckDB JSON path. */
  readonly path: string;
  readonly isInner: boolean;
}

const sqlTypes: Record<TypedColumn['type'], string> = {
  string: 'varchar',
  integer: 'bigint',
  number: 'double',
  boolean: 'boolean',
  time: 'bigint',
};

/** DuckDB's names of the JSON types; null counts as absent. */
const kinds: Record<TypedColumn['type'], readonly string[]> = {
  string: ['VARCHAR'],
  integer: ['BIGINT', 'UBIGINT'],
  number: ['BIGINT', 'UBIGINT', 'DOUBLE'],
  boolean: ['BOOLEAN'],
  time: ['VARCHAR'],
};

const known = new WeakMap<TelemetryDataset, readonly TypedColumn[]>();

/** Cached: queries read them for each member. */
export function typedColumns(dataset: TelemetryDataset): readonly TypedColumn[] {
  const columns = known.get(dataset) ?? columnsOf(dataset);
  known.set(dataset, columns);
  return columns;
}

function columnsOf({ members }: TelemetryDataset): TypedColumn[] {
  return Object.entries(members).flatMap(([name, { type, inner }]): TypedColumn[] => {
    if (type !== 'json') return [column(name, type, [name])];
    return Object.entries(inner ?? {}).flatMap(([below, member]: [string, InnerMember]) =>
      member.type === 'json' ? [] : [column(`${name}.${below}`, member.type, [name, ...stepsOf(below)])],
    );
  });
}

function column(name: string, type: TypedColumn['type'], steps: readonly string[]): TypedColumn {
  return { name, type, steps, path: pathOf(steps), isInner: steps.length > 1 };
}

/** A DuckDB JSON path. */
export function pathOf(steps: readonly string[]): string {
  return `$${steps.map((step) => `."${step.replaceAll('"', '\\"')}"`).join('')}`;
}

export function sqlTypeOf({ type }: Pick<TypedColumn, 'type'>): string {
  return sqlTypes[type];
}

export function kindsOf({ type }: TypedColumn): readonly string[] {
  return kinds[type];
}
