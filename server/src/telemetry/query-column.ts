import type { InnerMember, MemberType, TelemetryDataset } from './dataset.ts';
import type { ColumnDeclaration, Datasource, QueryType, Source, StoreSource } from './datasource.ts';

/** How a member becomes what the column is: `moment` reads RFC 3339 or epoch milliseconds. */
export type Cast = 'text' | 'timestamp';

/** A member that a column reads. */
export interface Read {
  readonly path: string;
  readonly type: MemberType;
  readonly cast: Cast | undefined;
}

/** A column with all that follows from its declaration. */
export interface QueryColumn {
  readonly name: string;
  readonly type: QueryType;
  readonly description: string;
  readonly source: Source;
  /** In the order in which they are tried; none where the store itself knows. */
  readonly reads: readonly Read[];
}

const natural: Record<MemberType, QueryType> = {
  string: 'String',
  integer: 'Number',
  number: 'Number',
  boolean: 'String',
  time: 'Timestamp',
  json: 'Json',
};

const stored: Record<StoreSource['stored'], Pick<QueryColumn, 'type' | 'description'>> = {
  record: { type: 'Json', description: 'All of the record.' },
  received: { type: 'Timestamp', description: 'When the record came in.' },
  batch: { type: 'String', description: 'Batch that the record came in with.' },
  number: { type: 'Number', description: 'Number of the record, which no other of the kind has.' },
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
  const type = declared.type ?? natural[first.type];
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

/** A declared member, or one below it. */
export function memberAt({ path: place, members }: TelemetryDataset, path: string): InnerMember {
  const [name = '', ...below] = path.split('.');
  const member = members[name];
  const found = below.length === 0 ? member : member?.inner?.[below.join('.')];
  if (!found) throw new Error(`${place} has no member ${path}.`);
  return found;
}

function castOf(from: MemberType, to: QueryType, what: string): Cast | undefined {
  if (to === 'String' && (from === 'integer' || from === 'boolean')) return 'text';
  if (to === 'Timestamp' && from === 'string') return 'timestamp';
  if (natural[from] !== to) throw new Error(`${what}: there is no cast from ${from} to ${to}.`);
  return undefined;
}
