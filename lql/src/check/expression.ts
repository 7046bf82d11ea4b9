import type { Expression, Literal } from '../syntax/tree.ts';
import type { BlockContext } from './block-context.ts';
import { checkCall } from './calls.ts';
import { checkCase } from './case.ts';
import type { CheckedExpression } from './checked.ts';
import { checkBetween, checkComparison } from './comparison.ts';
import { nullConstant } from './conversion.ts';
import { checkInBlock, checkInList } from './membership.ts';
import {
  checkArithmetic,
  checkCast,
  checkLogical,
  checkNegative,
  checkNot,
  checkNullTest,
  checkPath,
  checkPattern,
} from './operators.ts';

export function checkExpression(
  expression: Expression,
  context: BlockContext,
): CheckedExpression | undefined {
  switch (expression.kind) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return constant(expression);
    case 'column':
      return context.scope.resolve(expression);
    case 'path':
      return checkPath(expression, context);
    case 'cast':
      return checkCast(expression, context);
    case 'call':
      return checkCall(expression, context);
    case 'case':
      return checkCase(expression, context);
    case 'negative':
      return checkNegative(expression, context);
    case 'arithmetic':
      return checkArithmetic(expression, context);
    case 'comparison':
      return checkComparison(expression, context);
    case 'inList':
      return checkInList(expression, context);
    case 'inBlock':
      return checkInBlock(expression, context);
    case 'pattern':
      return checkPattern(expression, context);
    case 'between':
      return checkBetween(expression, context);
    case 'nullTest':
      return checkNullTest(expression, context);
    case 'not':
      return checkNot(expression, context);
    case 'logical':
      return checkLogical(expression, context);
    case 'row':
      return context.problems.error(
        expression,
        'Several values in parentheses are only allowed before `in { … }`.',
      );
  }
}

function constant(literal: Literal): CheckedExpression {
  switch (literal.kind) {
    case 'string':
      return { kind: 'constant', type: 'String', value: literal.value };
    case 'number':
      return { kind: 'constant', type: 'Number', value: literal.digits };
    case 'boolean':
      return { kind: 'constant', type: 'Boolean', value: literal.value };
    case 'null':
      return nullConstant;
  }
}
