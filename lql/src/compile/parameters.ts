import type { Dialect, Sql, Statement } from './dialect.ts';
import type { Bound } from './tables.ts';

/** Parameters of one statement, without duplicates, and its generated names. */
export class Parameters implements Statement {
  readonly values: Bound[] = [];
  private readonly places = new Map<string, Sql>();
  private readonly names = new Map<string, number>();

  private readonly dialect: Dialect;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  readonly bind = (value: Bound): Sql => {
    const key = `${typeof value} ${value}`;
    const known = this.places.get(key);
    if (known !== undefined) return known;
    const place = this.dialect.parameter(this.values.push(value), value);
    this.places.set(key, place);
    return place;
  };

  readonly fresh = (prefix: string): string => {
    const count = this.names.get(prefix) ?? 0;
    this.names.set(prefix, count + 1);
    return `${prefix}${count}`;
  };
}
