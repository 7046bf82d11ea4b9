import type { Datasource, JoinKey } from '../catalogue/catalogue.ts';
import {
  type CheckedBlock,
  type CheckedSource,
  type ExpandedSource,
  type JoinedSource,
  latestBy,
} from '../check/checked.ts';
import type { Sql, Statement, Writer } from './dialect.ts';
import type { SourceColumns } from './expressions.ts';
import { pathKey, type RequiredColumns, requiredColumns } from './required-columns.ts';
import { requiredItems } from './required-items.ts';
import type { Bounds, ItemsColumn, PathColumn, Tables } from './tables.ts';
import type { ExtractedPath, Value, Values } from './values.ts';

export interface SourceContext {
  readonly writer: Writer;
  readonly statement: Statement;
  readonly tables: Tables;
  readonly bounds: Bounds;
  /** False for a subquery. */
  readonly isOuter: boolean;
}

/** FROM item of a datasource and its alias. */
interface FromItem {
  readonly sql: Sql;
  readonly alias: string;
}

const itemsKey = (source: number, column: string) => `${source}.items of ${column}`;

/** Builds the FROM clause of a block and maps columns to SQL. */
export class Sources implements SourceColumns {
  from: Sql = '';
  private readonly tableReads: { readonly placeholder: Sql; rows(body: Sql): Sql }[] = [];
  private readonly columns = new Map<string, Sql>();
  private readonly requiredColumns: ReadonlyMap<number, RequiredColumns>;
  private readonly requiredItems: ReadonlySet<number>;
  private readonly extractedTypes = new Map<string, ExtractedPath['type']>();

  private readonly block: CheckedBlock;
  private readonly sourceContext: SourceContext;

  constructor(block: CheckedBlock, sourceContext: SourceContext) {
    this.block = block;
    this.sourceContext = sourceContext;
    this.requiredColumns = requiredColumns(block);
    this.requiredItems = requiredItems(block);
  }

  column(source: number, column: string): Sql {
    return this.sqlOf(`${source}.${column}`);
  }

  extracted(source: number, column: string, keys: readonly string[]): ExtractedPath | undefined {
    const key = `${source}.${pathKey(column, keys)}`;
    const type = this.extractedTypes.get(key);
    return type && { type, sql: this.sqlOf(key) };
  }

  item(source: number): Sql {
    return this.sqlOf(`${source}`);
  }

  /** Adds all sources; each may refer to earlier ones. */
  add(values: Values, json: (expanded: ExpandedSource) => Extract<Value, { type: 'Json' }>): void {
    this.block.sources.forEach((source, at) => {
      if (source.kind === 'expanded') this.expand(source, at, json(source));
      else if (source.kind === 'joined') this.join(source, at, values);
      else {
        const rows = this.rows(source.datasource, at);
        const named = `${rows.sql} as ${rows.alias}`;
        this.from = this.from === '' ? named : `${this.from} cross join ${named}`;
      }
    });
  }

  /** Replaces the placeholders of datasources with their SELECTs. */
  withTableReads(statement: Sql): Sql {
    return this.tableReads.reduce(
      (sql, { placeholder, rows }) => sql.replace(placeholder, () => rows(statement)),
      statement,
    );
  }

  /** Every read of a datasource passes here. */
  private rows(datasource: Datasource, at: number): FromItem {
    const { statement, tables, writer } = this.sourceContext;
    const bounds = this.boundsOf(at);
    const required = this.requiredColumns.get(at);
    const columns = [...(required?.columns ?? [])].flatMap(
      (name) => datasource.columns.find((column) => column.name === name) ?? [],
    );
    const alias = statement.freshName('s');
    for (const { name } of columns) this.columns.set(`${at}.${name}`, `${alias}.${writer.quoted(name)}`);
    const paths: PathColumn[] = [];
    const typeOf = required?.paths.size ? tables.extractedTypes?.(datasource, bounds) : undefined;
    for (const [key, path] of required?.paths ?? []) {
      const type = typeOf?.(path);
      if (!type) continue;
      const as = statement.freshName('p');
      paths.push({ ...path, type, as });
      this.extractedTypes.set(`${at}.${key}`, type);
      this.columns.set(`${at}.${key}`, `${alias}.${writer.quoted(as)}`);
    }
    const items: ItemsColumn[] = [];
    for (const column of required?.arrays ?? []) {
      if (!tables.hasItems?.(datasource, column)) continue;
      const as = statement.freshName('l');
      items.push({ column, as });
      this.columns.set(itemsKey(at, column), `${alias}.${writer.quoted(as)}`);
    }
    // Unused columns slow the engine down; the finished statement shows which are used.
    this.tableReads.push({
      placeholder: `/*${alias}*/`,
      rows: (body) => {
        const named = quotedAfter(`${alias}.`, body);
        return tables.rows({
          datasource,
          columns: columns.filter(({ name }) => named.has(writer.quoted(name))),
          paths: paths.filter(({ as }) => named.has(writer.quoted(as))),
          items,
          bounds,
          bind: statement.bind,
        });
      },
    });
    return { sql: `(/*${alias}*/)`, alias };
  }

  /** Arrivals and changes restrict the first source only: joined rows may be older. */
  private boundsOf(at: number): Bounds {
    const { bounds, isOuter } = this.sourceContext;
    if ((at === 0 && isOuter) || !(bounds.arrived || bounds.changed)) return bounds;
    return { ...bounds, arrived: undefined, changed: undefined };
  }

  private join(source: JoinedSource, at: number, values: Values): void {
    const rows = this.rows(source.datasource, at);
    const pairs = source.relationship.on.map((key) =>
      values.keys(
        this.key(source.from, this.block.sources[source.from], key.from, values),
        this.key(at, source, key.to, values),
      ),
    );
    const latestColumn = latestBy(source);
    const keys = pairs.map(([, right]) => right);
    const joined =
      latestColumn === undefined ? rows.sql : this.latestPerKey(rows, keys, this.column(at, latestColumn));
    const conditions = pairs.map(([left, right]) => `${left} = ${right}`);
    this.from = `${this.from} left join ${joined} as ${rows.alias} on ${conditions.join(' and ')}`;
  }

  /** The latest row per key. */
  private latestPerKey({ sql, alias }: FromItem, keys: readonly Sql[], timestamp: Sql): Sql {
    const { statement } = this.sourceContext;
    const [rowNumber, ranked] = [statement.freshName('n'), statement.freshName('s')];
    const ranking = `row_number() over (partition by ${keys.join(', ')} order by ${timestamp} desc) as ${rowNumber}`;
    return `(select * from (select *, ${ranking} from ${sql} as ${alias}) as ${ranked} where ${rowNumber} = 1)`;
  }

  private key(at: number, source: CheckedSource | undefined, key: JoinKey, values: Values): Value {
    const columns = source?.kind === 'expanded' ? [] : source?.datasource.columns;
    const type = columns?.find(({ name }) => name === key.column)?.type;
    if (type === undefined) throw new Error(`A relationship joins by an unknown column: ${key.column}.`);
    const value = values.ofColumn(type, this.column(at, key.column));
    const { column, keys = [] } = key;
    return value.type === 'Json' ? { ...value, keys, extracted: this.extracted(at, column, keys) } : value;
  }

  private expand(source: ExpandedSource, at: number, json: Extract<Value, { type: 'Json' }>): void {
    const { array, nonEmpty } = source;
    const { writer, statement } = this.sourceContext;
    const [alias, item] = [statement.freshName('e'), statement.freshName('i')];
    const known = array.kind === 'column' && this.columns.get(itemsKey(array.source, array.column));
    const items = known || writer.json.items(json.sql, json.keys);
    const kept = [...this.columns].map(([key, sql]) => ({ key, sql, as: statement.freshName('k') }));
    this.from = writer.expanded({
      from: this.from,
      alias,
      kept,
      items,
      item,
      outer: !nonEmpty && !this.requiredItems.has(at),
    });
    for (const { key, as } of kept) this.columns.set(key, `${alias}.${as}`);
    this.columns.set(`${at}`, `${alias}.${item}`);
  }

  private sqlOf(key: string): Sql {
    const sql = this.columns.get(key);
    if (sql === undefined) throw new Error(`Unknown column ${key}.`);
    return sql;
  }
}

/** The quoted names after a prefix, in one pass: there may be thousands. Names contain no quotes. */
function quotedAfter(prefix: string, body: Sql): ReadonlySet<Sql> {
  const names = new Set<Sql>();
  for (let at = body.indexOf(prefix); at >= 0; at = body.indexOf(prefix, at + 1)) {
    const start = at + prefix.length;
    const end = body.indexOf(body.charAt(start), start + 1);
    names.add(body.slice(start, end + 1));
  }
  return names;
}
