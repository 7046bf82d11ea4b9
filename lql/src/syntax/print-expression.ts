import { isOperatorWord } from './keywords.ts';
import { blank, group, indented, joined, type Layout, parenthesised, row } from './layout.ts';
import { printBlock } from './printer.ts';
import { writeString } from './strings.ts';
import type { Case, Expression, Key } from './tree.ts';

/** How close what an expression is made of binds: from `or` outwards to a single value. */
const binding = { or: 0, and: 1, not: 2, test: 3, sum: 4, product: 5, negative: 6, value: 7 } as const;

function bindingOf(expression: Expression): number {
  switch (expression.kind) {
    case 'logical':
      return binding[expression.operator];
    case 'not':
      return binding.not;
    case 'comparison':
    case 'inList':
    case 'inBlock':
    case 'pattern':
    case 'between':
    case 'nullTest':
      return binding.test;
    case 'arithmetic':
      return ['*', '/', '%'].includes(expression.operator) ? binding.product : binding.sum;
    case 'negative':
      return binding.negative;
    default:
      return binding.value;
  }
}

/** With parentheses when it binds less than its place needs. */
function operand(expression: Expression, least: number): Layout {
  const printed = printExpression(expression);
  return bindingOf(expression) < least ? parenthesised([printed]) : printed;
}

const operandOfTest = (expression: Expression) => operand(expression, binding.sum);

export function printExpression(expression: Expression): Layout {
  switch (expression.kind) {
    case 'string':
      return row(writeString(expression.value, expression.form));
    case 'number':
      return row(expression.digits);
    case 'boolean':
      return row(String(expression.value));
    case 'null':
      return row('null');
    case 'column': {
      const { source, column } = expression;
      const text = source ? `${source.text}.${column.text}` : column.text;
      // A word that could be an operator is sure to be read as a name where it stands alone.
      return row(isOperatorWord((source ?? column).text) ? `(${text})` : text);
    }
    case 'path':
      return row(operand(expression.of, binding.value), ':', expression.keys.map(printKey).join('.'));
    case 'cast':
      return row(operand(expression.of, binding.value), '::', expression.to.text);
    case 'call':
      if (expression.values.length === 0) return row(expression.name.text, '()');
      return row(expression.name.text, parenthesised(expression.values.map(printExpression)));
    case 'case':
      return printCase(expression);
    case 'row':
      return parenthesised(expression.values.map(printExpression));
    default:
      return printOperation(expression);
  }
}

const printKey = ({ text, quoted }: Key) => (quoted ? writeString(text, 'escaped') : text);

type Operation = Extract<
  Expression,
  {
    kind:
      | 'negative'
      | 'arithmetic'
      | 'comparison'
      | 'inList'
      | 'inBlock'
      | 'pattern'
      | 'between'
      | 'nullTest'
      | 'not'
      | 'logical';
  }
>;

function printOperation(operation: Operation): Layout {
  switch (operation.kind) {
    case 'negative':
      // Two signs next to each other would begin a comment.
      return row('-', operand(operation.of, binding.value));
    case 'arithmetic': {
      const own = bindingOf(operation);
      const { left, operator, right } = operation;
      return row(operand(left, own), ` ${operator} `, operand(right, own + 1));
    }
    case 'comparison':
      return row(operandOfTest(operation.left), ` ${operation.operator} `, operandOfTest(operation.right));
    case 'not':
      return row('not ', operand(operation.of, binding.not));
    case 'logical': {
      // Also `and` within `or`, where nothing but the reader needs the parentheses.
      const values = operation.values.map((value) => operand(value, binding.not));
      return group(joined(values, blank, `${operation.operator} `));
    }
    default:
      return row(operandOfTest(operation.value), ' ', printTest(operation));
  }
}

type Test = Extract<Operation, { kind: 'inList' | 'inBlock' | 'pattern' | 'between' | 'nullTest' }>;

function printTest(test: Test): Layout {
  const not = test.negated ? 'not ' : '';
  switch (test.kind) {
    case 'nullTest':
      return row('is ', not, test.json ? 'json null' : 'null');
    case 'inList':
      return row(not, 'in ', parenthesised(test.values.map(printExpression)));
    case 'inBlock':
      return row(not, 'in ', printBlock(test.block));
    case 'between':
      return row(not, 'between ', operandOfTest(test.low), ' and ', operandOfTest(test.high));
    case 'pattern': {
      const patterns = test.patterns.map(operandOfTest);
      return row(
        not,
        `${test.operator} `,
        test.any ? row('any ', parenthesised(patterns)) : row(...patterns),
      );
    }
  }
}

function printCase({ subject, branches, otherwise }: Case): Layout {
  const parts = [
    ...branches.map(({ when, then }) => row('when ', printExpression(when), ' then ', printExpression(then))),
    ...(otherwise ? [row('else ', printExpression(otherwise))] : []),
  ];
  const head = subject ? row('case ', printExpression(subject)) : row('case');
  return group(row(head, indented(row(blank, joined(parts, blank))), blank, 'end'));
}
