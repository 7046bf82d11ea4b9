import { endOfString } from './json-string.ts';

export interface JsonLimits {
  /** Levels of nesting. */
  readonly depth: number;
  /** Values in all objects and arrays together. */
  readonly values: number;
}

/** Deeper than what clouds, agents and clients send, and shallow enough for any recursion. */
export const deepestJson = 100;

const [quote, openArray, closeArray, openObject, closeObject, comma] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d, 0x2c];

/**
 * Which limit JSON text exceeds, found before it is parsed: an object of 400,000 members takes a second to parse. Every
 * value but the first follows an opening bracket or a comma, so their number bounds that of the values.
 */
export function exceededLimit(text: string, { depth, values }: JsonLimits): keyof JsonLimits | undefined {
  let level = 0;
  let count = 0;
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    if (code === quote) place = endOfString(text, place);
    else if (code === openArray || code === openObject) {
      if (++level > depth) return 'depth';
      if (++count > values) return 'values';
    } else if (code === closeArray || code === closeObject) level--;
    else if (code === comma && ++count > values) return 'values';
  }
  return undefined;
}

/** What a message says of a limit that was exceeded. */
export function complaintAbout(limit: keyof JsonLimits, limits: JsonLimits): string {
  return limit === 'depth'
    ? `is nested more than ${limits.depth} levels deep: flatten it`
    : `has more than ${limits.values} values: send fewer`;
}
