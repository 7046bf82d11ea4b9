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
import { necessaryItems } from './necessary.ts';
import { type Needs, needsOf, pathKey } from './needs.ts';
import type { Bounds, ItemsColumn, PathColumn, Tables } from './tables.ts';
import type { ExtractedPath, Value, Values } from './values.ts';

export interface Reader {
  readonly writer: Writer;
  readonly statement: Statement;
  readonly tables: Tables;
  readonly bounds: Bounds;
  /** False for a subquery. */
  readonly isOuter: boolean;
}

/** FROM item of a datasource and its alias. */
interface Rows {
  readonly sql: Sql;
  readonly alias: string;
}

const itemsKey = (source: number, column: string) => `${source}.items of ${column}`;

/** Builds the FROM clause of a block and maps columns to SQL. */
export class Sources implements SourceColumns {
  from: Sql = '';
  private readonly readings: { readonly place: Sql; rows(body: Sql): Sql }[] = [];
  private readonly columns = new Map<string, Sql>();
  private readonly needs: ReadonlyMap<number, Needs>;
  private readonly necessary: ReadonlySet<number>;
  private readonly apart = new Map<string, ExtractedPath['apart']>();

  private readonly block: CheckedBlock;
  private readonly reader: Reader;

  constructor(block: CheckedBlock, reader: Reader) {
    this.block = block;
    this.reader = reader;
    this.needs = needsOf(block);
    this.necessary = necessaryItems(block);
  }

  column(source: number, column: string): Sql {
    return this.place(`${source}.${column}`);
  }

  extracted(source: number, column: string, keys: readonly string[]): ExtractedPath | undefined {
    const key = `${source}.${pathKey(column, keys)}`;
    const apart = this.apart.get(key);
    return apart && { apart, sql: this.place(key) };
  }

  item(source: number): Sql {
    return this.place(`${source}`);
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
  filled(statement: Sql): Sql {
    return this.readings.reduce(
      (sql, { place, rows }) => sql.replace(place, () => rows(statement)),
      statement,
    );
  }

  /** Every read of a datasource passes here. */
  private rows(datasource: Datasource, at: number): Rows {
    const { statement, tables, writer } = this.reader;
    const bounds = this.boundsOf(at);
    const needed = this.needs.get(at);
    const columns = [...(needed?.columns ?? [])].flatMap(
      (name) => datasource.columns.find((column) => column.name === name) ?? [],
    );
    const alias = statement.fresh('s');
    for (const { name } of columns) this.columns.set(`${at}.${name}`, `${alias}.${writer.quoted(name)}`);
    const paths: PathColumn[] = [];
    const apartOf = needed?.paths.size ? tables.apart?.(datasource, bounds) : undefined;
    for (const [key, path] of needed?.paths ?? []) {
      const apart = apartOf?.(path);
      if (!apart) continue;
      const as = statement.fresh('p');
      paths.push({ ...path, apart, as });
      this.apart.set(`${at}.${key}`, apart);
      this.columns.set(`${at}.${key}`, `${alias}.${writer.quoted(as)}`);
    }
    const items: ItemsColumn[] = [];
    for (const column of needed?.arrays ?? []) {
      if (!tables.hasItems?.(datasource, column)) continue;
      const as = statement.fresh('l');
      items.push({ column, as });
      this.columns.set(itemsKey(at, column), `${alias}.${writer.quoted(as)}`);
    }
    // Unused columns slow the engine down; the finished statement shows which are used.
    this.readings.push({
      place: `/*${alias}*/`,
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

  /** Arrival bounds apply to the first source only: joined rows may have arrived earlier. */
  private boundsOf(at: number): Bounds {
    const { bounds, isOuter } = this.reader;
    return (at === 0 && isOuter) || !bounds.arrived ? bounds : { ...bounds, arrived: undefined };
  }

  private join(source: JoinedSource, at: number, values: Values): void {
    const rows = this.rows(source.datasource, at);
    const pairs = source.relationship.on.map((key) =>
      values.keys(
        this.key(source.from, this.block.sources[source.from], key.from, values),
        this.key(at, source, key.to, values),
      ),
    );
    const last = latestBy(source);
    const keys = pairs.map(([, right]) => right);
    const joined = last === undefined ? rows.sql : this.lastOf(rows, keys, this.column(at, last));
    const conditions = pairs.map(([left, right]) => `${left} = ${right}`);
    this.from = `${this.from} left join ${joined} as ${rows.alias} on ${conditions.join(' and ')}`;
  }

  /** The latest row per key. */
  private lastOf({ sql, alias }: Rows, keys: readonly Sql[], timestamp: Sql): Sql {
    const { statement } = this.reader;
    const [place, ranked] = [statement.fresh('n'), statement.fresh('s')];
    const ranking = `row_number() over (partition by ${keys.join(', ')} order by ${timestamp} desc) as ${place}`;
    return `(select * from (select *, ${ranking} from ${sql} as ${alias}) as ${ranked} where ${place} = 1)`;
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
    const { writer, statement } = this.reader;
    const [alias, item] = [statement.fresh('e'), statement.fresh('i')];
    const known = array.kind === 'column' && this.columns.get(itemsKey(array.source, array.column));
    const items = known || writer.json.items(json.sql, json.keys);
    const kept = [...this.columns].map(([key, sql]) => ({ key, sql, as: statement.fresh('k') }));
    this.from = writer.expanded({
      from: this.from,
      alias,
      kept,
      items,
      item,
      outer: !nonEmpty && !this.necessary.has(at),
    });
    for (const { key, as } of kept) this.columns.set(key, `${alias}.${as}`);
    this.columns.set(`${at}`, `${alias}.${item}`);
  }

  private place(key: string): Sql {
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
