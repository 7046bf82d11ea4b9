import type { ComparisonOperator } from '../syntax/tree.ts';
import type { Sql, Writer } from './dialect.ts';

/**
 * How a number is held. Whole numbers of 64 bits have to stay exact, and a double can not hold them: `whole` is such a
 * number, `real` a double, `column` what a table has, be it whole or real, and `mixed` both, for what only the data
 * decides: a whole part that is null unless the number is whole, and a real part.
 */
export type Form = 'whole' | 'column' | 'real' | 'mixed';

export interface Numeric {
  readonly sql: Sql;
  readonly form: Form;
  /** The real part of a mixed number, where it is cheaper to make it at once. */
  readonly real?: Sql;
  /** A constant that a double holds exactly, so that comparing it as a double is exact too. */
  readonly small?: boolean;
}

/** From here on two whole numbers may be the same double. */
const biggestExact = 2n ** 53n;
const [lowest, highest] = [-(2n ** 63n), 2n ** 63n - 1n];

/** What a query may do with numbers, in terms of what an engine can. */
export class Numbers {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  constant(digits: string, bind: (value: bigint | number) => Sql): Numeric {
    const whole = /^-?\d+$/.test(digits) ? BigInt(digits) : undefined;
    if (whole === undefined || whole < lowest || whole > highest)
      return { sql: bind(Number(digits)), form: 'real' };
    return { sql: bind(whole), form: 'whole', small: whole > -biggestExact && whole < biggestExact };
  }

  ofText(text: Sql): Numeric {
    const { numbers } = this.writer;
    return { sql: numbers.mixedOfText(text), form: 'mixed', real: numbers.realOfText(text) };
  }

  real(number: Numeric): Sql {
    if (number.form === 'real') return number.sql;
    if (number.form === 'mixed') return number.real ?? this.writer.numbers.realPart(number.sql);
    return this.writer.numbers.realOf(number.sql);
  }

  /** For where only whole numbers make sense. */
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
    const { numbers, once, nothing } = this.writer;
    if (number.form === 'mixed') return number.sql;
    if (number.form === 'column') return numbers.mixedOfColumn(number.sql);
    return once([number.sql], (name) => {
      const mixed =
        number.form === 'whole'
          ? numbers.mixed(name, numbers.realOf(name))
          : numbers.mixed(nothing('Number'), name);
      return `case when ${name} is not null then ${mixed} end`;
    });
  }

  text(number: Numeric): Sql {
    const { numbers, once } = this.writer;
    if (number.form === 'whole') return numbers.textOfWhole(number.sql);
    if (number.form === 'column') return numbers.textOfColumn(number.sql);
    if (number.form === 'real') return numbers.textOfReal(number.sql);
    return once([number.sql], (mixed) => {
      const whole = numbers.wholePart(mixed);
      return `case when ${whole} is null then ${numbers.textOfReal(numbers.realPart(mixed))} else ${numbers.textOfWhole(whole)} end`;
    });
  }

  isNull(number: Numeric): Sql {
    return `${number.form === 'mixed' ? this.real(number) : number.sql} is null`;
  }

  /** All in one form, so that one expression can give any of them. */
  alike(values: readonly Numeric[]): { form: Form; values: readonly Sql[] } {
    const [first] = values;
    const plain = values.map(({ sql }) => sql);
    // Two columns may be a whole and a real one, and become reals.
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

  /** Two expressions that are equal when the numbers are, for joins. */
  keys(left: Numeric, right: Numeric): readonly [Sql, Sql] {
    const forms = [left.form, right.form];
    if (forms.includes('real')) return [this.real(left), this.real(right)];
    if (forms.includes('mixed')) return [this.text(left), this.text(right)];
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
