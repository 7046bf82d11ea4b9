import { type FunctionDeclaration, type FunctionName, functions, signature } from '../catalogue/functions.ts';
import type { Call, Expression } from '../syntax/tree.ts';
import { alike } from './case.ts';
import type { Checked } from './checked.ts';
import type { Checking } from './checking.ts';
import { converted, nullConstant, some } from './conversion.ts';
import { castFix, demandOf } from './demand.ts';
import { namesElsewhere } from './names-elsewhere.ts';

export function checkCall(call: Call, checking: Checking): Checked | undefined {
  const { problems } = checking;
  const name = call.name.text.toLowerCase();
  const values = call.values.map((value) => checking.value(value));
  if (!isFunction(name)) return unknown(call, checking);
  const declaration: FunctionDeclaration = functions[name];
  if (!hasGoodCount(declaration, values.length))
    return problems.error(
      call,
      `${name} is given ${values.length} values, but is written \`${signature(name)}\`.`,
    );
  if (declaration.deprecated)
    problems.warn(call, `${name} is deprecated: use \`sec_to_timestamp(current_timestamp_sec())\`.`, {
      start: call.start,
      end: call.end,
      text: 'sec_to_timestamp(current_timestamp_sec())',
    });
  if (!values.every((value) => value !== undefined)) return undefined;
  return called(name, declaration, call, values, checking);
}

const isFunction = (name: string): name is FunctionName => Object.hasOwn(functions, name);

function called(
  name: FunctionName,
  declaration: FunctionDeclaration,
  call: Call,
  values: readonly Checked[],
  checking: Checking,
): Checked | undefined {
  const parameterOf = (place: number) =>
    declaration.parameters[
      Math.min(place, declaration.parameters.length - 1)
    ] as FunctionDeclaration['parameters'][0];
  const isAny = (_: unknown, place: number) => parameterOf(place).type === 'Any';
  const common = alike(values.filter(isAny), call.values.filter(isAny), `The values of ${name}`, checking);
  if (!common) return undefined;
  if (common === 'Null' && declaration.result === 'Any') return nullConstant;
  const anyType = common === 'Null' ? 'Json' : common;
  const fitting = values.map((value, place) => {
    const parameter = parameterOf(place);
    const written = call.values[place] as Expression;
    if (parameter.type === 'Any') return converted(value, anyType);
    if (/^(?:value|key)_exists$/.test(name) && value.type !== 'Json' && value.type !== 'Null')
      return checking.problems.error(
        written,
        `${name} looks into Json, but this is ${some(value.type)}: use \`is not null\`.`,
      );
    if (parameter.strict && value.type === 'Json')
      return checking.problems.error(
        written,
        `${name} does not convert Json to ${parameter.type} by itself: write \`::${parameter.type}\` after it.`,
        castFix(written, parameter.type),
      );
    return demandOf(value, written, parameter.type, `The ${parameter.name} of ${name}`, checking);
  });
  if (!fitting.every((value) => value !== undefined)) return undefined;
  const type = declaration.result === 'Any' ? anyType : declaration.result;
  return { kind: 'called', type, name, values: fitting };
}

function hasGoodCount({ parameters, repeats }: FunctionDeclaration, count: number): boolean {
  const least = parameters.filter(({ optional }) => !optional).length;
  return count >= least && (repeats || count <= parameters.length);
}

function unknown({ name }: Call, { problems, spelling }: Checking): undefined {
  const known = name.text.toLowerCase();
  const meant = Object.hasOwn(namesElsewhere, known) ? namesElsewhere[known] : undefined;
  if (meant) return problems.error(name, `There is no function ${name.text}: ${meant}.`);
  const lowered = { ...name, text: known };
  const { text, fix } = spelling.suggest(lowered, Object.keys(functions));
  return problems.error(name, `There is no function ${name.text}.${text}`, fix);
}
