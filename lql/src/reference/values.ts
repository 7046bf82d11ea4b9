import type { Type } from '../catalogue/catalogue.ts';
import type { Compared } from '../check/checked.ts';
import { type Json, stringOfJson, writeJson } from './json.ts';
import { compareNumbers, holds, type Numeric, numberOfString, stringOfNumber } from './numbers.ts';
import { compareStrings } from './strings.ts';
import { formatTimestamp, timestampOfSeconds, timestampOfString } from './timestamps.ts';

/** Value of an expression, which knows the type: a timestamp is a number too. */
export type Known = string | boolean | Numeric | Json | null;

export const booleanOfString = (text: string): boolean | null =>
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
      const text = formatTimestamp(value as number);
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
  const text = stringOfJson(json);
  if (text === null) return null;
  if (to === 'Timestamp' && json.kind === 'number') return convertNumber(numberOfString(text), to);
  return convertText(text, to);
}

function convertText(text: string, to: Type): Known {
  switch (to) {
    case 'Number':
      return numberOfString(text);
    case 'Boolean':
      return booleanOfString(text);
    case 'Timestamp':
      return timestampOfString(text);
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
      return stringOfNumber(number);
    case 'Boolean':
      return Number(number) !== 0;
    case 'Timestamp':
      return timestampOfSeconds(number);
    case 'Json':
      return { kind: 'number', text: stringOfNumber(number) };
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
    const [a, b] = [stringOfJson(left as Json), stringOfJson(right as Json)];
    return compare(operator, 'String', a, b);
  }
  if (type === 'String') return holds(operator, compareStrings(left as string, right as string));
  if (type === 'Boolean') return holds(operator, Number(left) - Number(right));
  return holds(operator, compareNumbers(left as Numeric, right as Numeric));
}

/** As in a result row. */
export function jsonString(value: Known, type: Type): string {
  if (value === null) return 'null';
  if (type === 'Json') return writeJson(value as Json);
  if (type === 'Number') return stringOfNumber(value as Numeric);
  const text = convert(value, type, 'String');
  return text === null ? 'null' : JSON.stringify(text);
}
