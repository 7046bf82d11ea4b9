import { type FunctionDeclaration, type FunctionName, functions, signature } from '../catalogue/functions.ts';
import type { Call, Expression } from '../syntax/tree.ts';
import type { BlockContext } from './block-context.ts';
import { commonTypeOrError } from './case.ts';
import type { CheckedExpression } from './checked.ts';
import { converted, nullConstant, withArticle } from './conversion.ts';
import { foreignFunctions } from './foreign-functions.ts';
import { castFix, requireTypeOf } from './required-type.ts';

export function checkCall(call: Call, context: BlockContext): CheckedExpression | undefined {
  const { problems } = context;
  const name = call.name.text.toLowerCase();
  const values = call.values.map((value) => context.value(value));
  if (!isFunction(name)) return reportUnknown(call, context);
  const declaration: FunctionDeclaration = functions[name];
  if (!acceptsCount(declaration, values.length))
    return problems.error(
      call,
      `${name} was called with ${values.length} values: its signature is \`${signature(name)}\`.`,
    );
  if (declaration.deprecated)
    problems.warn(call, `${name} is deprecated: use \`sec_to_timestamp(current_timestamp_sec())\`.`, {
      start: call.start,
      end: call.end,
      text: 'sec_to_timestamp(current_timestamp_sec())',
    });
  if (!values.every((value) => value !== undefined)) return undefined;
  return checkArguments(name, declaration, call, values, context);
}

const isFunction = (name: string): name is FunctionName => Object.hasOwn(functions, name);

function checkArguments(
  name: FunctionName,
  declaration: FunctionDeclaration,
  call: Call,
  values: readonly CheckedExpression[],
  context: BlockContext,
): CheckedExpression | undefined {
  const parameterOf = (index: number) =>
    declaration.parameters[
      Math.min(index, declaration.parameters.length - 1)
    ] as FunctionDeclaration['parameters'][0];
  const isAny = (_: unknown, index: number) => parameterOf(index).type === 'Any';
  const common = commonTypeOrError(
    values.filter(isAny),
    call.values.filter(isAny),
    `The values of ${name}`,
    context,
  );
  if (!common) return undefined;
  if (common === 'Null' && declaration.result === 'Any') return nullConstant;
  const anyType = common === 'Null' ? 'Json' : common;
  const operands = values.map((value, index) => {
    const parameter = parameterOf(index);
    const expression = call.values[index] as Expression;
    if (parameter.type === 'Any') return converted(value, anyType);
    if (/^(?:value|key)_exists$/.test(name) && value.type !== 'Json' && value.type !== 'Null')
      return context.problems.error(
        expression,
        `${name} takes Json, but this is ${withArticle(value.type)}: use \`is not null\`.`,
      );
    if (parameter.strict && value.type === 'Json')
      return context.problems.error(
        expression,
        `${name} does not convert Json to ${parameter.type} implicitly: write \`::${parameter.type}\` after it.`,
        castFix(expression, parameter.type),
      );
    return requireTypeOf(value, expression, parameter.type, `The ${parameter.name} of ${name}`, context);
  });
  if (!operands.every((value) => value !== undefined)) return undefined;
  const type = declaration.result === 'Any' ? anyType : declaration.result;
  return { kind: 'call', type, name, values: operands };
}

function acceptsCount({ parameters, repeats }: FunctionDeclaration, count: number): boolean {
  const required = parameters.filter(({ optional }) => !optional).length;
  return count >= required && (repeats || count <= parameters.length);
}

function reportUnknown({ name }: Call, { problems, spelling }: BlockContext): undefined {
  const known = name.text.toLowerCase();
  const replacement = Object.hasOwn(foreignFunctions, known) ? foreignFunctions[known] : undefined;
  if (replacement) return problems.error(name, `There is no function ${name.text}: ${replacement}.`);
  const lowered = { ...name, text: known };
  const { text, fix } = spelling.suggest(lowered, Object.keys(functions));
  return problems.error(name, `There is no function ${name.text}.${text}`, fix);
}
