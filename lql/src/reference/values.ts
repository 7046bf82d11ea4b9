import type { Type } from '../catalogue/catalogue.ts';
import type { Compared } from '../check/checked.ts';
import { type Json, textOfJson, writeJson } from './json.ts';
import { holds, type Numeric, numberOfText, orderOfNumbers, textOfNumber } from './numbers.ts';
import { orderOfTexts } from './strings.ts';
import { momentOfSeconds, momentOfText, textOfMoment } from './timestamps.ts';

/** Value of an expression, which knows the type: a timestamp is a number too. */
export type Known = string | boolean | Numeric | Json | null;

export const booleanOfText = (text: string): boolean | null =>
  text.toLowerCase() === 'true' ? true : text.toLowerCase() === 'false' ? false : null;

export function convert(value: Known, from: Type, to: Type): Known {
  if (value === null || from === to) return value;
  switch (from) {
    case 'Json':
      return convertJson(value as Json, to);
    case 'String':
      return convertText(value as string, to);
    case 'Number':
      return convertNumber(value as Numeric, to);
    case 'Timestamp': {
      const text = textOfMoment(value as number);
      if (to === 'String') return text;
      return to === 'Json' && text !== null ? { kind: 'string', value: text } : null;
    }
    case 'Boolean':
      if (to === 'Json') return { kind: 'boolean', value: value as boolean };
      return to === 'String' ? String(value) : null;
    case 'Null':
      return null;
  }
}

function convertJson(json: Json, to: Type): Known {
  const text = textOfJson(json);
  if (text === null) return null;
  if (to === 'Timestamp' && json.kind === 'number') return convertNumber(numberOfText(text), to);
  return convertText(text, to);
}

function convertText(text: string, to: Type): Known {
  switch (to) {
    case 'Number':
      return numberOfText(text);
    case 'Boolean':
      return booleanOfText(text);
    case 'Timestamp':
      return momentOfText(text);
    case 'Json':
      return { kind: 'string', value: text };
    default:
      return text;
  }
}

function convertNumber(number: Numeric | null, to: Type): Known {
  if (number === null) return null;
  switch (to) {
    case 'String':
      return textOfNumber(number);
    case 'Boolean':
      return Number(number) !== 0;
    case 'Timestamp':
      return momentOfSeconds(number);
    case 'Json':
      return { kind: 'number', text: textOfNumber(number) };
    default:
      return null;
  }
}

/** Compares values of one type, Json as strings. Null if one is null. */
export function compare(
  operator: Compared['operator'],
  type: Type,
  left: Known,
  right: Known,
): boolean | null {
  if (left === null || right === null) return null;
  if (type === 'Json') {
    const [a, b] = [textOfJson(left as Json), textOfJson(right as Json)];
    return compare(operator, 'String', a, b);
  }
  if (type === 'String') return holds(operator, orderOfTexts(left as string, right as string));
  if (type === 'Boolean') return holds(operator, Number(left) - Number(right));
  return holds(operator, orderOfNumbers(left as Numeric, right as Numeric));
}

/** As in a result row. */
export function jsonText(value: Known, type: Type): string {
  if (value === null) return 'null';
  if (type === 'Json') return writeJson(value as Json);
  if (type === 'Number') return textOfNumber(value as Numeric);
  const text = convert(value, type, 'String');
  return text === null ? 'null' : JSON.stringify(text);
}
