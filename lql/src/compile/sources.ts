import type { Datasource, JoinKey } from '../catalogue/catalogue.ts';
import {
  type CheckedBlock,
  type CheckedSource,
  type ExpandedSource,
  type JoinedSource,
  lastTold,
} from '../check/checked.ts';
import type { Sql, Statement, Writer } from './dialect.ts';
import type { Places } from './expressions.ts';
import { necessaryItems } from './necessary.ts';
import { type Needs, needsOf, pathKey } from './needs.ts';
import type { Bounds, ItemsColumn, PathColumn, Tables } from './tables.ts';
import type { Held, Value, Values } from './values.ts';

export interface Reader {
  readonly writer: Writer;
  readonly statement: Statement;
  readonly tables: Tables;
  readonly bounds: Bounds;
  /** Whether it is a block of the query itself, not one inside another. */
  readonly isOuter: boolean;
}

/** What stands after FROM for a datasource, and the name by which its columns are read. */
interface Rows {
  readonly sql: Sql;
  readonly alias: string;
}

const itemsKey = (source: number, column: string) => `${source}.items of ${column}`;

/** What a block reads from: a FROM that grows source by source, and where in it each column is. */
export class Sources implements Places {
  from: Sql = '';
  private readonly readings: { readonly place: Sql; rows(body: Sql): Sql }[] = [];
  private readonly columns = new Map<string, Sql>();
  private readonly needs: ReadonlyMap<number, Needs>;
  private readonly necessary: ReadonlySet<number>;
  private readonly apart = new Map<string, Held['apart']>();

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

  held(source: number, column: string, keys: readonly string[]): Held | undefined {
    const key = `${source}.${pathKey(column, keys)}`;
    const apart = this.apart.get(key);
    return apart && { apart, sql: this.place(key) };
  }

  item(source: number): Sql {
    return this.place(`${source}`);
  }

  /** Adds all sources. What they are expanded and joined by is read from those before them. */
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

  /** The statement with the rows of its datasources in their places. */
  filled(statement: Sql): Sql {
    return this.readings.reduce(
      (sql, { place, rows }) => sql.replace(place, () => rows(statement)),
      statement,
    );
  }

  /** The only place where a datasource is read. */
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
    for (const column of needed?.lists ?? []) {
      if (!tables.hasItems?.(datasource, column)) continue;
      const as = statement.fresh('l');
      items.push({ column, as });
      this.columns.set(itemsKey(at, column), `${alias}.${writer.quoted(as)}`);
    }
    // An engine takes its time over columns that it does not need: which are, the rest of the statement says.
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

  /** What is looked up for the rows that the query is about may have come long before them. */
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
    const last = lastTold(source);
    const keys = pairs.map(([, right]) => right);
    const joined = last === undefined ? rows.sql : this.lastOf(rows, keys, this.column(at, last));
    const conditions = pairs.map(([left, right]) => `${left} = ${right}`);
    this.from = `${this.from} left join ${joined} as ${rows.alias} on ${conditions.join(' and ')}`;
  }

  /** Of the rows with the same keys the one with the latest moment. */
  private lastOf({ sql, alias }: Rows, keys: readonly Sql[], moment: Sql): Sql {
    const { statement } = this.reader;
    const [place, ranked] = [statement.fresh('n'), statement.fresh('s')];
    const ranking = `row_number() over (partition by ${keys.join(', ')} order by ${moment} desc) as ${place}`;
    return `(select * from (select *, ${ranking} from ${sql} as ${alias}) as ${ranked} where ${place} = 1)`;
  }

  private key(at: number, source: CheckedSource | undefined, key: JoinKey, values: Values): Value {
    const columns = source?.kind === 'expanded' ? [] : source?.datasource.columns;
    const type = columns?.find(({ name }) => name === key.column)?.type;
    if (type === undefined) throw new Error(`A relationship joins by ${key.column}, which is no column.`);
    const value = values.ofColumn(type, this.column(at, key.column));
    const { column, keys = [] } = key;
    return value.type === 'Json' ? { ...value, keys, held: this.held(at, column, keys) } : value;
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
    if (sql === undefined) throw new Error(`Nothing is known of the column ${key}.`);
    return sql;
  }
}

/** The quoted names that follow a text, found in one go: there may be thousands. Names have no quotes in them. */
function quotedAfter(prefix: string, body: Sql): ReadonlySet<Sql> {
  const names = new Set<Sql>();
  for (let at = body.indexOf(prefix); at >= 0; at = body.indexOf(prefix, at + 1)) {
    const start = at + prefix.length;
    const end = body.indexOf(body.charAt(start), start + 1);
    names.add(body.slice(start, end + 1));
  }
  return names;
}
