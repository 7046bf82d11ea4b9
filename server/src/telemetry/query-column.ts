import type { InnerMember, MemberType, TelemetryDataset } from './dataset.ts';
import type { ColumnDeclaration, Datasource, QueryType, Source, StoreSource } from './datasource.ts';

/** The cast from member to column: `timestamp` parses RFC 3339 or epoch milliseconds. */
export type Cast = 'text' | 'timestamp';

/** A member that a column reads. */
export interface Read {
  readonly path: string;
  readonly type: MemberType;
  readonly cast: Cast | undefined;
}

/** A column with defaults resolved. */
export interface QueryColumn {
  readonly name: string;
  readonly type: QueryType;
  readonly description: string;
  readonly source: Source;
  /** In order of preference; empty for store metadata. */
  readonly reads: readonly Read[];
}

const defaultTypes: Record<MemberType, QueryType> = {
  string: 'String',
  integer: 'Number',
  number: 'Number',
  boolean: 'String',
  time: 'Timestamp',
  json: 'Json',
};

const stored: Record<StoreSource['stored'], Pick<QueryColumn, 'type' | 'description'>> = {
  record: { type: 'Json', description: 'The complete record.' },
  received: { type: 'Timestamp', description: 'When the record was received.' },
  batch: { type: 'String', description: 'Batch of the record.' },
  number: { type: 'Number', description: 'Unique number of the record.' },
};

/** The columns of a datasource, in order. */
export function columnsOf(dataset: TelemetryDataset, { columns }: Datasource): QueryColumn[] {
  return Object.entries(columns).map(([name, declaration]) => columnOf(dataset, name, declaration));
}

function columnOf(dataset: TelemetryDataset, name: string, declaration: ColumnDeclaration): QueryColumn {
  const declared = isSource(declaration) ? { from: declaration } : declaration;
  const source = declared.from;
  if (typeof source === 'object' && 'stored' in source) {
    return { name, ...stored[source.stored], source, reads: [] };
  }
  const members = pathsOf(source).map((path) => [path, memberAt(dataset, path)] as const);
  const [, first] = members[0] as (typeof members)[number];
  const type = declared.type ?? defaultTypes[first.type];
  const reads = members.map(([path, member]) => ({
    path,
    type: member.type,
    cast: castOf(member.type, type, `${name} from ${path}`),
  }));
  return { name, type, description: declared.description ?? first.description, source, reads };
}

function isSource(declaration: ColumnDeclaration): declaration is Source {
  return typeof declaration === 'string' || !('from' in declaration);
}

function pathsOf(source: Exclude<Source, StoreSource>): readonly string[] {
  if (typeof source === 'string') return [source];
  if ('hour' in source) return [source.of];
  return 'side' in source ? [source.member] : source;
}

/** A declared member or inner member. */
export function memberAt({ path: datasetPath, members }: TelemetryDataset, path: string): InnerMember {
  const [name = '', ...below] = path.split('.');
  const member = members[name];
  const declared = below.length === 0 ? member : member?.inner?.[below.join('.')];
  if (!declared) throw new Error(`${datasetPath} has no member ${path}.`);
  return declared;
}

function castOf(from: MemberType, to: QueryType, context: string): Cast | undefined {
  if (to === 'String' && (from === 'integer' || from === 'boolean')) return 'text';
  if (to === 'Timestamp' && from === 'string') return 'timestamp';
  if (defaultTypes[from] !== to) throw new Error(`${context}: there is no cast from ${from} to ${to}.`);
  return undefined;
}
