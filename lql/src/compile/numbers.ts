import type { ComparisonOperator } from '../syntax/tree.ts';
import type { Sql, Writer } from './dialect.ts';

/**
 * SQL representation of a number. 64-bit integers must stay exact, which a double cannot do: `whole` is an integer, `real`
 * a double, `column` a table column of either type, and `mixed` a pair for values whose type only the data determines: a
 * whole part, null unless the number is an integer, and a real part.
 */
export type Form = 'whole' | 'column' | 'real' | 'mixed';

export interface Numeric {
  readonly sql: Sql;
  readonly form: Form;
  /** The real part of a mixed number, if it is cheaper to compute directly. */
  readonly real?: Sql;
  /** A constant that a double represents exactly. */
  readonly small?: boolean;
}

/** Integers from here on may share a double. */
const maxExact = 2n ** 53n;
const [lowest, highest] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Number operations in terms of dialect primitives. */
export class Numbers {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  constant(digits: string, bind: (value: bigint | number) => Sql): Numeric {
    const whole = /^-?\d+$/.test(digits) ? BigInt(digits) : undefined;
    if (whole === undefined || whole < lowest || whole > highest)
      return { sql: bind(Number(digits)), form: 'real' };
    return { sql: bind(whole), form: 'whole', small: whole > -maxExact && whole < maxExact };
  }

  ofString(text: Sql): Numeric {
    const { numbers } = this.writer;
    return { sql: numbers.mixedOfString(text), form: 'mixed', real: numbers.realOfString(text) };
  }

  real(number: Numeric): Sql {
    if (number.form === 'real') return number.sql;
    if (number.form === 'mixed') return number.real ?? this.writer.numbers.realPart(number.sql);
    return this.writer.numbers.realOf(number.sql);
  }

  /** Truncates to an integer. */
  whole(number: Numeric): Sql {
    const { numbers, once } = this.writer;
    if (number.form === 'whole') return number.sql;
    if (number.form !== 'mixed') return numbers.truncated(number.sql);
    return once([number.sql], (mixed) => {
      const whole = numbers.wholePart(mixed);
      return `case when ${whole} is null then ${numbers.truncated(numbers.realPart(mixed))} else ${whole} end`;
    });
  }

  mixed(number: Numeric): Sql {
    const { numbers, once, nullOf } = this.writer;
    if (number.form === 'mixed') return number.sql;
    if (number.form === 'column') return numbers.mixedOfColumn(number.sql);
    return once([number.sql], (name) => {
      const mixed =
        number.form === 'whole'
          ? numbers.mixed(name, numbers.realOf(name))
          : numbers.mixed(nullOf('Number'), name);
      return `case when ${name} is not null then ${mixed} end`;
    });
  }

  string(number: Numeric): Sql {
    const { numbers, once } = this.writer;
    if (number.form === 'whole') return numbers.stringOfWhole(number.sql);
    if (number.form === 'column') return numbers.stringOfColumn(number.sql);
    if (number.form === 'real') return numbers.stringOfReal(number.sql);
    return once([number.sql], (mixed) => {
      const whole = numbers.wholePart(mixed);
      return `case when ${whole} is null then ${numbers.stringOfReal(numbers.realPart(mixed))} else ${numbers.stringOfWhole(whole)} end`;
    });
  }

  isNull(number: Numeric): Sql {
    return `${number.form === 'mixed' ? this.real(number) : number.sql} is null`;
  }

  /** Converts all values to one form, as the branches of one expression need. */
  unified(values: readonly Numeric[]): { form: Form; values: readonly Sql[] } {
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
    if (both.every(({ form }) => form === 'whole' || form === 'column'))
      return `${left.sql} ${operator} ${right.sql}`;
    if (both.some(({ form, small }) => form === 'real' || small))
      return `${this.real(left)} ${operator} ${this.real(right)}`;
    return this.paired(left, right, ({ wholes, reals }) => {
      const [a, b] = wholes;
      return `case when ${a} is not null and ${b} is not null then ${a} ${operator} ${b} else ${reals.join(` ${operator} `)} end`;
    });
  }

  divided(left: Numeric, right: Numeric): Numeric {
    const { numbers } = this.writer;
    return { form: 'real', sql: numbers.finite(numbers.real('/', this.real(left), this.real(right))) };
  }

  absolute(number: Numeric): Numeric {
    const { numbers, once } = this.writer;
    if (number.form !== 'mixed') return { form: number.form, sql: numbers.absolute(number.sql) };
    const sql = once([number.sql], (mixed) => {
      const [whole, real] = [numbers.wholePart(mixed), numbers.realPart(mixed)];
      const ofWhole = this.mixed({ form: 'whole', sql: numbers.absolute(whole) });
      const ofReal = this.mixed({ form: 'real', sql: numbers.absolute(real) });
      return `case when ${whole} is not null then ${ofWhole} else ${ofReal} end`;
    });
    return { form: 'mixed', sql };
  }

  /** Join keys: equal if and only if the numbers are. */
  keys(left: Numeric, right: Numeric): readonly [Sql, Sql] {
    const forms = [left.form, right.form];
    if (forms.includes('real')) return [this.real(left), this.real(right)];
    if (forms.includes('mixed')) return [this.string(left), this.string(right)];
    return [left.sql, right.sql];
  }

  private paired(left: Numeric, right: Numeric, body: (parts: Parts) => Sql): Sql {
    const { numbers, once } = this.writer;
    return once([this.mixed(left), this.mixed(right)], (a, b) =>
      body({
        wholes: [numbers.wholePart(a), numbers.wholePart(b)],
        reals: [numbers.realPart(a), numbers.realPart(b)],
      }),
    );
  }
}

interface Parts {
  readonly wholes: readonly [Sql, Sql];
  readonly reals: readonly [Sql, Sql];
}
