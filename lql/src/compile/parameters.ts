import type { Dialect, Sql, Statement } from './dialect.ts';
import type { Bound } from './tables.ts';

/** Parameters of one statement, without duplicates, and its generated nameCounts. */
export class Parameters implements Statement {
  readonly values: Bound[] = [];
  private readonly placeholders = new Map<string, Sql>();
  private readonly nameCounts = new Map<string, number>();

  private readonly dialect: Dialect;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  readonly bind = (value: Bound): Sql => {
    const key = `${typeof value} ${value}`;
    const known = this.placeholders.get(key);
    if (known !== undefined) return known;
    const placeholder = this.dialect.parameter(this.values.push(value), value);
    this.placeholders.set(key, placeholder);
    return placeholder;
  };

  readonly freshName = (prefix: string): string => {
    const count = this.nameCounts.get(prefix) ?? 0;
    this.nameCounts.set(prefix, count + 1);
    return `${prefix}${count}`;
  };
}
