import type { Checked } from '../check/checked.ts';
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
  private readonly value: (checked: Checked) => Numeric;

  constructor(writer: Writer, numbers: Numbers, value: (checked: Checked) => Numeric) {
    this.writer = writer;
    this.numbers = numbers;
    this.value = value;
  }

  computed(checked: Checked): Numeric {
    const term = this.term(checked);
    const forms = new Set(this.leaves.map(({ form }) => form));
    // With more than two columns the engine would compute exact sums before it meets a double.
    const isPlain = !forms.has('mixed') && (!forms.has('column') || this.leaves.length <= 2);
    if (forms.has('real')) {
      const reals = this.leaves.map((leaf) => this.numbers.real(leaf));
      return { form: 'real', sql: this.real(term, reals) };
    }
    if (!isPlain) return { form: 'mixed', sql: this.mixed(term) };
    const exact = this.whole(
      term,
      this.leaves.map(({ sql }) => sql),
    );
    if (!forms.has('column')) return { form: 'whole', sql: exact };
    return { form: 'column', sql: this.writer.numbers.finite(exact) };
  }

  private mixed(term: Term): Sql {
    const { numbers, once } = this.writer;
    return once(
      this.leaves.map((leaf) => this.numbers.mixed(leaf)),
      (...names) => {
        const wholes = names.map((name) => numbers.wholePart(name));
        const reals = names.map((name) => numbers.realPart(name));
        const exact = this.numbers.mixed({ form: 'whole', sql: this.whole(term, wholes) });
        const other = this.numbers.mixed({ form: 'real', sql: this.real(term, reals) });
        return `case when ${wholes.map((part) => `${part} is not null`).join(' and ')} then ${exact} else ${other} end`;
      },
    );
  }

  private whole(term: Term, leaves: readonly Sql[]): Sql {
    return this.writer.numbers.exact(leaves, (names) => written(term, names, this.writer.numbers.whole));
  }

  private real(term: Term, leaves: readonly Sql[]): Sql {
    return this.writer.numbers.finite(written(term, leaves, this.writer.numbers.real));
  }

  private term(checked: Checked): Term {
    if (checked.kind === 'negated')
      return {
        sign: '-',
        left: this.leaf({ form: 'whole', sql: this.writer.numbers.zero }),
        right: this.term(checked.of),
      };
    if (checked.kind !== 'computed' || checked.operator === '/') return this.leaf(this.value(checked));
    return { sign: checked.operator, left: this.term(checked.left), right: this.term(checked.right) };
  }

  private leaf(number: Numeric): Term {
    return { leaf: this.leaves.push(number) - 1 };
  }
}

function written(
  term: Term,
  leaves: readonly Sql[],
  sign: (sign: ArithmeticSign, left: Sql, right: Sql) => Sql,
): Sql {
  if ('leaf' in term) return leaves[term.leaf] ?? '';
  return sign(term.sign, written(term.left, leaves, sign), written(term.right, leaves, sign));
}
