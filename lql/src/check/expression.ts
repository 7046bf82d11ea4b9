import type { Expression, Literal } from '../syntax/tree.ts';
import { checkCall } from './calls.ts';
import { checkCase } from './case.ts';
import type { Checked } from './checked.ts';
import type { Checking } from './checking.ts';
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

export function checkExpression(expression: Expression, checking: Checking): Checked | undefined {
  switch (expression.kind) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return constant(expression);
    case 'column':
      return checking.scope.resolve(expression);
    case 'path':
      return checkPath(expression, checking);
    case 'cast':
      return checkCast(expression, checking);
    case 'call':
      return checkCall(expression, checking);
    case 'case':
      return checkCase(expression, checking);
    case 'negative':
      return checkNegative(expression, checking);
    case 'arithmetic':
      return checkArithmetic(expression, checking);
    case 'comparison':
      return checkComparison(expression, checking);
    case 'inList':
      return checkInList(expression, checking);
    case 'inBlock':
      return checkInBlock(expression, checking);
    case 'pattern':
      return checkPattern(expression, checking);
    case 'between':
      return checkBetween(expression, checking);
    case 'nullTest':
      return checkNullTest(expression, checking);
    case 'not':
      return checkNot(expression, checking);
    case 'logical':
      return checkLogical(expression, checking);
    case 'row':
      return checking.problems.error(
        expression,
        'Several values in parentheses can stand left of `in { … }` only.',
      );
  }
}

function constant(literal: Literal): Checked {
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
