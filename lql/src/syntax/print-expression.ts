import { isOperatorWord } from './keywords.ts';
import { concat, group, indented, join, type Layout, line, parenthesised } from './layout.ts';
import { printBlock } from './printer.ts';
import { writeString } from './strings.ts';
import type { Case, Expression, Key } from './tree.ts';

/** Operator precedence, from `or` to a single value. */
const precedence = { or: 0, and: 1, not: 2, test: 3, sum: 4, product: 5, negative: 6, value: 7 } as const;

function precedenceOf(expression: Expression): number {
  switch (expression.kind) {
    case 'logical':
      return precedence[expression.operator];
    case 'not':
      return precedence.not;
    case 'comparison':
    case 'inList':
    case 'inBlock':
    case 'pattern':
    case 'between':
    case 'nullTest':
      return precedence.test;
    case 'arithmetic':
      return ['*', '/', '%'].includes(expression.operator) ? precedence.product : precedence.sum;
    case 'negative':
      return precedence.negative;
    default:
      return precedence.value;
  }
}

/** With parentheses if its precedence is lower than required. */
function operand(expression: Expression, minimum: number): Layout {
  const printed = printExpression(expression);
  return precedenceOf(expression) < minimum ? parenthesised([printed]) : printed;
}

const operandOfTest = (expression: Expression) => operand(expression, precedence.sum);

export function printExpression(expression: Expression): Layout {
  switch (expression.kind) {
    case 'string':
      return concat(writeString(expression.value, expression.form));
    case 'number':
      return concat(expression.digits);
    case 'boolean':
      return concat(String(expression.value));
    case 'null':
      return concat('null');
    case 'column': {
      const { source, column } = expression;
      const text = source ? `${source.text}.${column.text}` : column.text;
      // In parentheses, an operator word is always parsed as a name.
      return concat(isOperatorWord((source ?? column).text) ? `(${text})` : text);
    }
    case 'path':
      return concat(operand(expression.of, precedence.value), ':', expression.keys.map(printKey).join('.'));
    case 'cast':
      return concat(operand(expression.of, precedence.value), '::', expression.to.text);
    case 'call':
      if (expression.values.length === 0) return concat(expression.name.text, '()');
      return concat(expression.name.text, parenthesised(expression.values.map(printExpression)));
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
      // Two minus signs would start a comment.
      return concat('-', operand(operation.of, precedence.value));
    case 'arithmetic': {
      const own = precedenceOf(operation);
      const { left, operator, right } = operation;
      return concat(operand(left, own), ` ${operator} `, operand(right, own + 1));
    }
    case 'comparison':
      return concat(operandOfTest(operation.left), ` ${operation.operator} `, operandOfTest(operation.right));
    case 'not':
      return concat('not ', operand(operation.of, precedence.not));
    case 'logical': {
      // Also `and` within `or`, for readability.
      const values = operation.values.map((value) => operand(value, precedence.not));
      return group(join(values, line, `${operation.operator} `));
    }
    default:
      return concat(operandOfTest(operation.value), ' ', printTest(operation));
  }
}

type Test = Extract<Operation, { kind: 'inList' | 'inBlock' | 'pattern' | 'between' | 'nullTest' }>;

function printTest(test: Test): Layout {
  const not = test.negated ? 'not ' : '';
  switch (test.kind) {
    case 'nullTest':
      return concat('is ', not, test.json ? 'json null' : 'null');
    case 'inList':
      return concat(not, 'in ', parenthesised(test.values.map(printExpression)));
    case 'inBlock':
      return concat(not, 'in ', printBlock(test.block));
    case 'between':
      return concat(not, 'between ', operandOfTest(test.low), ' and ', operandOfTest(test.high));
    case 'pattern': {
      const patterns = test.patterns.map(operandOfTest);
      return concat(
        not,
        `${test.operator} `,
        test.any ? concat('any ', parenthesised(patterns)) : concat(...patterns),
      );
    }
  }
}

function printCase({ subject, branches, otherwise }: Case): Layout {
  const parts = [
    ...branches.map(({ when, then }) =>
      concat('when ', printExpression(when), ' then ', printExpression(then)),
    ),
    ...(otherwise ? [concat('else ', printExpression(otherwise))] : []),
  ];
  const head = subject ? concat('case ', printExpression(subject)) : concat('case');
  return group(concat(head, indented(concat(line, join(parts, line))), line, 'end'));
}
