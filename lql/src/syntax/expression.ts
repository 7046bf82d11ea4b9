import { readBlock } from './block.ts';
import type { Cursor } from './cursor.ts';
import { readList } from './list.ts';
import { readLiteral, readUnary } from './operand.ts';
import type {
  Arithmetic,
  ArithmeticOperator,
  ComparisonOperator,
  Expression,
  Literal,
  PatternOperator,
} from './tree.ts';

export function readExpression(cursor: Cursor): Expression {
  return cursor.nested(() =>
    readLogical(cursor, 'or', () => readLogical(cursor, 'and', () => readNot(cursor))),
  );
}

function readLogical(cursor: Cursor, operator: 'and' | 'or', read: () => Expression): Expression {
  const first = read();
  if (!cursor.isWord(operator)) return first;
  const values = [first];
  while (cursor.takeWord(operator)) values.push(read());
  return { kind: 'logical', operator, values, start: first.start, end: cursor.end };
}

function readNot(cursor: Cursor): Expression {
  const not = cursor.takeWord('not');
  if (!not) return readPredicate(cursor);
  const of = cursor.nested(() => readNot(cursor));
  return { kind: 'not', of, start: not.start, end: of.end };
}

function readPredicate(cursor: Cursor): Expression {
  const value = readSum(cursor);
  const test = readTest(cursor, value);
  if (!test) return value;
  if (startsTest(cursor)) {
    cursor.fail('Two comparisons must be combined with `and` or `or`, or the first one put in parentheses.');
  }
  return test;
}

const comparisons: ReadonlyMap<string, ComparisonOperator> = new Map([
  ...(['=', '<>', '<', '<=', '>', '>='] as const).map((operator) => [operator, operator] as const),
  ['!=', '<>'],
]);

const patterns = ['like', 'ilike', 'rlike'] as const satisfies readonly PatternOperator[];

const comparisonAt = (cursor: Cursor) =>
  cursor.token.kind === 'symbol' ? comparisons.get(cursor.token.text) : undefined;

function startsTest(cursor: Cursor): boolean {
  const { keyword } = cursor.token;
  return (
    comparisonAt(cursor) !== undefined ||
    keyword === 'in' ||
    keyword === 'between' ||
    keyword === 'is' ||
    keyword === 'not' ||
    patterns.some((pattern) => pattern === keyword)
  );
}

/** A comparison or another test after a value. */
function readTest(cursor: Cursor, value: Expression): Expression | undefined {
  const operator = comparisonAt(cursor);
  if (operator) return readComparison(cursor, value, operator);
  if (cursor.takeWord('is')) return readNullTest(cursor, value);
  const negated = cursor.takeWord('not') !== undefined;
  if (cursor.takeWord('in')) return readIn(cursor, value, negated);
  if (cursor.takeWord('between')) return readBetween(cursor, value, negated);
  const pattern = patterns.find((keyword) => cursor.takeWord(keyword));
  if (pattern) return readPattern(cursor, value, negated, pattern);
  if (negated) cursor.failExpected('`in`, `like`, `ilike`, `rlike` or `between` after `not`');
  return undefined;
}

function readComparison(cursor: Cursor, left: Expression, operator: ComparisonOperator): Expression {
  const { text, start, end } = cursor.take();
  if (text === '!=')
    cursor.warn({ start, end }, 'Write `<>`: `!=` is not portable.', { start, end, text: '<>' });
  const right = readSum(cursor);
  return { kind: 'comparison', operator, left, right, start: left.start, end: right.end };
}

function readNullTest(cursor: Cursor, value: Expression): Expression {
  const negated = cursor.takeWord('not') !== undefined;
  const json = cursor.takeWord('json') !== undefined;
  if (!cursor.takeWord('null')) cursor.failExpected('`null` or `json null`');
  return { kind: 'nullTest', negated, json, value, start: value.start, end: cursor.end };
}

function readIn(cursor: Cursor, value: Expression, negated: boolean): Expression {
  if (cursor.isSymbol('{')) {
    const block = cursor.nested(() => readBlock(cursor));
    return { kind: 'inBlock', negated, value, block, start: value.start, end: block.end };
  }
  const open = cursor.takeSymbol('(') ?? cursor.failExpected('`(` and values, or `{` and a query');
  const values = readList(cursor, open, 'value', () => readListItem(cursor));
  return { kind: 'inList', negated, value, values, start: value.start, end: cursor.end };
}

/** Only constants, including negative numbers. */
function readListItem(cursor: Cursor): Literal {
  const { start } = cursor.token;
  const next = cursor.peek(1);
  if (cursor.isSymbol('-') && next.kind === 'number') {
    cursor.take();
    cursor.take();
    return { kind: 'number', digits: `-${next.text}`, start, end: next.end };
  }
  const literal = readLiteral(cursor);
  const { kind, text } = cursor.token;
  if (literal && (kind === 'end' || (kind === 'symbol' && (text === ',' || text === ')')))) return literal;
  const expression = literal ?? readExpression(cursor);
  return cursor.reject(
    expression,
    'A list after `in` holds only strings, numbers, `true` and `false`: compare with `=` and `or` instead.',
  );
}

function readBetween(cursor: Cursor, value: Expression, negated: boolean): Expression {
  const low = readSum(cursor);
  if (!cursor.takeWord('and')) cursor.failExpected('`and`, as in `between 1 and 9`');
  const high = readSum(cursor);
  return { kind: 'between', negated, value, low, high, start: value.start, end: high.end };
}

function readPattern(
  cursor: Cursor,
  value: Expression,
  negated: boolean,
  operator: PatternOperator,
): Expression {
  const next = cursor.peek(1);
  const any = cursor.isWord('any') && next.kind === 'symbol' && next.text === '(';
  if (any) cursor.take();
  const read = () => readSum(cursor);
  const patterns = any ? readList(cursor, cursor.take(), 'pattern', read) : [read()];
  return { kind: 'pattern', operator, negated, any, value, patterns, start: value.start, end: cursor.end };
}

function readSum(cursor: Cursor): Expression {
  return readArithmetic(cursor, ['+', '-', '||'], () =>
    readArithmetic(cursor, ['*', '/', '%'], () => readUnary(cursor)),
  );
}

function readArithmetic(
  cursor: Cursor,
  operators: readonly ArithmeticOperator[],
  read: () => Expression,
): Expression {
  let left = read();
  for (;;) {
    const operator = operators.find((candidate) => cursor.takeSymbol(candidate));
    if (!operator) return left;
    const right = read();
    left = {
      kind: 'arithmetic',
      operator,
      left,
      right,
      start: left.start,
      end: right.end,
    } satisfies Arithmetic;
  }
}
