import type { ComparisonOperator } from '../syntax/tree.ts';
import type { Sql, Writer } from './dialect.ts';

/**
 * SQL representation of a number. 64-bit integers must stay exact, which a double cannot do. `column` is a table column of
 * either type. `mixed` is a pair, for values whose type only the data determines: an integer part, null unless the number
 * is an integer, and a double part.
 */
export type NumberForm = 'integer' | 'column' | 'double' | 'mixed';

export interface Numeric {
  readonly sql: Sql;
  readonly form: NumberForm;
  /** The double part of a mixed number, if it is cheaper to compute directly. */
  readonly double?: Sql;
  /** A constant that a double represents exactly. */
  readonly small?: boolean;
}

/** Integers from here on may share a double. */
const maxExact = 2n ** 53n;
const [minInt64, maxInt64] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Number operations in terms of dialect primitives. */
export class Numbers {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  constant(digits: string, bind: (value: bigint | number) => Sql): Numeric {
    const integer = /^-?\d+$/.test(digits) ? BigInt(digits) : undefined;
    if (integer === undefined || integer < minInt64 || integer > maxInt64)
      return { sql: bind(Number(digits)), form: 'double' };
    return { sql: bind(integer), form: 'integer', small: integer > -maxExact && integer < maxExact };
  }

  ofString(string: Sql): Numeric {
    const { numbers } = this.writer;
    return { sql: numbers.mixedOfString(string), form: 'mixed', double: numbers.doubleOfString(string) };
  }

  double(number: Numeric): Sql {
    if (number.form === 'double') return number.sql;
    if (number.form === 'mixed') return number.double ?? this.writer.numbers.doublePart(number.sql);
    return this.writer.numbers.doubleOf(number.sql);
  }

  /** Truncates to an integer. */
  integer(number: Numeric): Sql {
    const { numbers, once } = this.writer;
    if (number.form === 'integer') return number.sql;
    if (number.form !== 'mixed') return numbers.truncated(number.sql);
    return once([number.sql], (mixed) => {
      const integer = numbers.integerPart(mixed);
      return `case when ${integer} is null then ${numbers.truncated(numbers.doublePart(mixed))} else ${integer} end`;
    });
  }

  mixed(number: Numeric): Sql {
    const { numbers, once, nullOf } = this.writer;
    if (number.form === 'mixed') return number.sql;
    if (number.form === 'column') return numbers.mixedOfColumn(number.sql);
    return once([number.sql], (name) => {
      const mixed =
        number.form === 'integer'
          ? numbers.mixed(name, numbers.doubleOf(name))
          : numbers.mixed(nullOf('Number'), name);
      return `case when ${name} is not null then ${mixed} end`;
    });
  }

  string(number: Numeric): Sql {
    const { numbers, once } = this.writer;
    if (number.form === 'integer') return numbers.stringOfInteger(number.sql);
    if (number.form === 'column') return numbers.stringOfColumn(number.sql);
    if (number.form === 'double') return numbers.stringOfDouble(number.sql);
    return once([number.sql], (mixed) => {
      const integer = numbers.integerPart(mixed);
      return `case when ${integer} is null then ${numbers.stringOfDouble(numbers.doublePart(mixed))} else ${numbers.stringOfInteger(integer)} end`;
    });
  }

  isNull(number: Numeric): Sql {
    return `${number.form === 'mixed' ? this.double(number) : number.sql} is null`;
  }

  /** Converts all values to one form, as the branches of one expression need. */
  unified(values: readonly Numeric[]): { form: NumberForm; values: readonly Sql[] } {
    const [first] = values;
    const plain = values.map(({ sql }) => sql);
    // Columns may differ in type, and would become doubles.
    const isPlain = first?.form !== 'column' || values.every(({ sql }) => sql === first.sql);
    if (first && isPlain && values.every(({ form }) => form === first.form))
      return { form: first.form, values: plain };
    return { form: 'mixed', values: values.map((value) => this.mixed(value)) };
  }

  compared(operator: ComparisonOperator, left: Numeric, right: Numeric): Sql {
    const both = [left, right];
    if (both.every(({ form }) => form === 'integer' || form === 'column'))
      return `${left.sql} ${operator} ${right.sql}`;
    if (both.some(({ form, small }) => form === 'double' || small))
      return `${this.double(left)} ${operator} ${this.double(right)}`;
    return this.paired(left, right, ({ integers, doubles }) => {
      const [a, b] = integers;
      return `case when ${a} is not null and ${b} is not null then ${a} ${operator} ${b} else ${doubles.join(` ${operator} `)} end`;
    });
  }

  divided(left: Numeric, right: Numeric): Numeric {
    const { numbers } = this.writer;
    return {
      form: 'double',
      sql: numbers.finite(numbers.double('/', this.double(left), this.double(right))),
    };
  }

  absolute(number: Numeric): Numeric {
    const { numbers, once } = this.writer;
    if (number.form !== 'mixed') return { form: number.form, sql: numbers.absolute(number.sql) };
    const sql = once([number.sql], (mixed) => {
      const [integer, double] = [numbers.integerPart(mixed), numbers.doublePart(mixed)];
      const ofInteger = this.mixed({ form: 'integer', sql: numbers.absolute(integer) });
      const ofDouble = this.mixed({ form: 'double', sql: numbers.absolute(double) });
      return `case when ${integer} is not null then ${ofInteger} else ${ofDouble} end`;
    });
    return { form: 'mixed', sql };
  }

  /** Join keys: equal if and only if the numbers are. */
  keys(left: Numeric, right: Numeric): readonly [Sql, Sql] {
    const forms = [left.form, right.form];
    if (forms.includes('double')) return [this.double(left), this.double(right)];
    if (forms.includes('mixed')) return [this.string(left), this.string(right)];
    return [left.sql, right.sql];
  }

  private paired(left: Numeric, right: Numeric, body: (parts: OperandParts) => Sql): Sql {
    const { numbers, once } = this.writer;
    return once([this.mixed(left), this.mixed(right)], (a, b) =>
      body({
        integers: [numbers.integerPart(a), numbers.integerPart(b)],
        doubles: [numbers.doublePart(a), numbers.doublePart(b)],
      }),
    );
  }
}

interface OperandParts {
  readonly integers: readonly [Sql, Sql];
  readonly doubles: readonly [Sql, Sql];
}
