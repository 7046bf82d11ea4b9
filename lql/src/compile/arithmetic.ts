import type { CheckedExpression } from '../check/checked.ts';
import type { ArithmeticSign, Sql, Writer } from './dialect.ts';
import type { Numbers, Numeric } from './numbers.ts';

/** Operands and operators. A quotient is an operand, because it is always a double. */
type Term =
  | { readonly leaf: number }
  | { readonly sign: Exclude<ArithmeticSign, '/'>; readonly left: Term; readonly right: Term };

/**
 * A term of `+`, `-`, `*` and `%`: exact if all operands are integers, else computed in doubles. It is generated as a
 * unit, because a case distinction at each operator would slow down planning.
 */
export class Arithmetic {
  private readonly leaves: Numeric[] = [];
  private readonly writer: Writer;
  private readonly numbers: Numbers;
  private readonly value: (checked: CheckedExpression) => Numeric;

  constructor(writer: Writer, numbers: Numbers, value: (checked: CheckedExpression) => Numeric) {
    this.writer = writer;
    this.numbers = numbers;
    this.value = value;
  }

  computed(checked: CheckedExpression): Numeric {
    const term = this.term(checked);
    const forms = new Set(this.leaves.map(({ form }) => form));
    // With more than two columns the engine would compute exact sums before it meets a double.
    const isPlain = !forms.has('mixed') && (!forms.has('column') || this.leaves.length <= 2);
    if (forms.has('double')) {
      const doubles = this.leaves.map((leaf) => this.numbers.double(leaf));
      return { form: 'double', sql: this.double(term, doubles) };
    }
    if (!isPlain) return { form: 'mixed', sql: this.mixed(term) };
    const exact = this.integer(
      term,
      this.leaves.map(({ sql }) => sql),
    );
    if (!forms.has('column')) return { form: 'integer', sql: exact };
    return { form: 'column', sql: this.writer.numbers.finite(exact) };
  }

  private mixed(term: Term): Sql {
    const { numbers, once } = this.writer;
    return once(
      this.leaves.map((leaf) => this.numbers.mixed(leaf)),
      (...names) => {
        const integers = names.map((name) => numbers.integerPart(name));
        const doubles = names.map((name) => numbers.doublePart(name));
        const exact = this.numbers.mixed({ form: 'integer', sql: this.integer(term, integers) });
        const other = this.numbers.mixed({ form: 'double', sql: this.double(term, doubles) });
        return `case when ${integers.map((part) => `${part} is not null`).join(' and ')} then ${exact} else ${other} end`;
      },
    );
  }

  private integer(term: Term, leaves: readonly Sql[]): Sql {
    return this.writer.numbers.exact(leaves, (names) => render(term, names, this.writer.numbers.integer));
  }

  private double(term: Term, leaves: readonly Sql[]): Sql {
    return this.writer.numbers.finite(render(term, leaves, this.writer.numbers.double));
  }

  private term(checked: CheckedExpression): Term {
    if (checked.kind === 'negative')
      return {
        sign: '-',
        left: this.leaf({ form: 'integer', sql: this.writer.numbers.zero }),
        right: this.term(checked.of),
      };
    if (checked.kind !== 'arithmetic' || checked.operator === '/') return this.leaf(this.value(checked));
    return { sign: checked.operator, left: this.term(checked.left), right: this.term(checked.right) };
  }

  private leaf(number: Numeric): Term {
    return { leaf: this.leaves.push(number) - 1 };
  }
}

function render(
  term: Term,
  leaves: readonly Sql[],
  sign: (sign: ArithmeticSign, left: Sql, right: Sql) => Sql,
): Sql {
  if ('leaf' in term) return leaves[term.leaf] ?? '';
  return sign(term.sign, render(term.left, leaves, sign), render(term.right, leaves, sign));
}
