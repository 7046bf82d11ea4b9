import { endOfString } from './json-string.ts';

export interface JsonLimits {
  /** Maximum nesting depth. */
  readonly depth: number;
  /** Maximum number of values in all objects and arrays together. */
  readonly values: number;
}

/** More than any cloud, agent or client sends, and shallow enough for recursion. */
export const deepestJson = 100;

const [quote, openArray, closeArray, openObject, closeObject, comma] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d, 0x2c];

/**
 * The limit that a JSON document exceeds, determined before parsing: an object with 400,000 members takes a second to parse.
 * Every value except the first follows an opening bracket or a comma, so counting those bounds the values.
 */
export function exceededLimit(json: string, { depth, values }: JsonLimits): keyof JsonLimits | undefined {
  let level = 0;
  let count = 0;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === quote) index = endOfString(json, index);
    else if (code === openArray || code === openObject) {
      if (++level > depth) return 'depth';
      if (++count > values) return 'values';
    } else if (code === closeArray || code === closeObject) level--;
    else if (code === comma && ++count > values) return 'values';
  }
  return undefined;
}

/** The error message for an exceeded limit, without the subject. */
export function limitProblem(limit: keyof JsonLimits, limits: JsonLimits): string {
  return limit === 'depth'
    ? `is nested more than ${limits.depth} levels deep: flatten it`
    : `has more than ${limits.values} values: send fewer`;
}
