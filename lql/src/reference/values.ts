import type { Type } from '../catalogue/catalogue.ts';
import type { CheckedComparison } from '../check/checked.ts';
import { type Json, stringOfJson, writeJson } from './json.ts';
import { compareNumbers, type Numeric, numberOfString, satisfiesOrder, stringOfNumber } from './numbers.ts';
import { compareStrings } from './strings.ts';
import { formatTimestamp, timestampOfSeconds, timestampOfString } from './timestamps.ts';

/** Value of an expression, which knows the type: a timestamp is a number too. */
export type ReferenceValue = string | boolean | Numeric | Json | null;

export const booleanOfString = (string: string): boolean | null =>
  string.toLowerCase() === 'true' ? true : string.toLowerCase() === 'false' ? false : null;

export function convert(value: ReferenceValue, from: Type, to: Type): ReferenceValue {
  if (value === null || from === to) return value;
  switch (from) {
    case 'Json':
      return convertJson(value as Json, to);
    case 'String':
      return convertString(value as string, to);
    case 'Number':
      return convertNumber(value as Numeric, to);
    case 'Timestamp': {
      const string = formatTimestamp(value as number);
      if (to === 'String') return string;
      return to === 'Json' && string !== null ? { kind: 'string', value: string } : null;
    }
    case 'Boolean':
      if (to === 'Json') return { kind: 'boolean', value: value as boolean };
      return to === 'String' ? String(value) : null;
    case 'Null':
      return null;
  }
}

function convertJson(json: Json, to: Type): ReferenceValue {
  const string = stringOfJson(json);
  if (string === null) return null;
  if (to === 'Timestamp' && json.kind === 'number') return convertNumber(numberOfString(string), to);
  return convertString(string, to);
}

function convertString(string: string, to: Type): ReferenceValue {
  switch (to) {
    case 'Number':
      return numberOfString(string);
    case 'Boolean':
      return booleanOfString(string);
    case 'Timestamp':
      return timestampOfString(string);
    case 'Json':
      return { kind: 'string', value: string };
    default:
      return string;
  }
}

function convertNumber(number: Numeric | null, to: Type): ReferenceValue {
  if (number === null) return null;
  switch (to) {
    case 'String':
      return stringOfNumber(number);
    case 'Boolean':
      return Number(number) !== 0;
    case 'Timestamp':
      return timestampOfSeconds(number);
    case 'Json':
      return { kind: 'number', digits: stringOfNumber(number) };
    default:
      return null;
  }
}

/** Compares values of one type, Json as strings. Null if one is null. */
export function compare(
  operator: CheckedComparison['operator'],
  type: Type,
  left: ReferenceValue,
  right: ReferenceValue,
): boolean | null {
  if (left === null || right === null) return null;
  if (type === 'Json') {
    const [a, b] = [stringOfJson(left as Json), stringOfJson(right as Json)];
    return compare(operator, 'String', a, b);
  }
  if (type === 'String') return satisfiesOrder(operator, compareStrings(left as string, right as string));
  if (type === 'Boolean') return satisfiesOrder(operator, Number(left) - Number(right));
  return satisfiesOrder(operator, compareNumbers(left as Numeric, right as Numeric));
}

/** As in a result row. */
export function jsonString(value: ReferenceValue, type: Type): string {
  if (value === null) return 'null';
  if (type === 'Json') return writeJson(value as Json);
  if (type === 'Number') return stringOfNumber(value as Numeric);
  const string = convert(value, type, 'String');
  return string === null ? 'null' : JSON.stringify(string);
}
