import { RE2JS, RE2JSSyntaxException } from 're2js';

const longestPattern = 1_000;
/** Instructions of the compiled expression: x{1000} many times over is short to write and slow to run. */
const largestProgram = 5_000;

/** Properties that re2js knows and the RE2 of the telemetry engine does not, without case and underscores. */
const unknownProperties = new Set(
  `cn lc ascii asciihexdigit alphabetic assigned dash emoji emojicomponent emojimodifier emojimodifierbase
  emojipresentation extendedpictographic hexdigit lowercase math quotationmark terminalpunctuation unknown uppercase
  whitespace beriaerfe garay gurungkhema kiratrai olonal sidetic sunuwar taiyo todhri tolongsiki tulutigalari`.split(
    /\s+/,
  ),
);

/** A regular expression that was compiled, with the number of its instructions. */
export interface Expression {
  readonly size: number;
  matches(text: string): boolean;
}

/** The whole text must match. The dot takes line breaks too: `.*x.*` is how people write "contains x". */
export function rlikeMatcher(pattern: string): Expression {
  const expression = RE2JS.compile(pattern, RE2JS.DOTALL);
  return { size: expression.programSize(), matches: (text) => expression.testExact(text) };
}

/** The number of instructions, or why the pattern can not be used. */
export function readPattern(
  pattern: string,
): { readonly size: number; readonly fault?: undefined } | { readonly fault: string } {
  if (pattern.length > longestPattern) return { fault: `longer than ${longestPattern} characters` };
  try {
    const property = unknownProperty(pattern);
    if (property) return { fault: `unknown property: ${property}` };
    const size = RE2JS.compile(pattern).programSize();
    return size > largestProgram ? { fault: 'too many repetitions' } : { size };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const { error: reason, input } = error;
    return { fault: input ? `${reason}: ${input}` : reason };
  }
}

/**
 * Whether compiling takes next to no time: short, and without what expands to much more than is written: counted
 * repetitions, flags and classes of Unicode.
 */
export function isPlainPattern(pattern: string): boolean {
  return /^[\x20-\x7e]{0,200}$/.test(pattern) && !/[{]|\(\?|\\[pPxQ]/.test(pattern);
}

function unknownProperty(pattern: string): string | undefined {
  const escapes = pattern.matchAll(/\\Q.*?(?:\\E|$)|\\[pP]\{\^?([^}]*)\}|\\./gs);
  return [...escapes]
    .map(([, name]) => name)
    .find((name) => name && unknownProperties.has(name.replace(/[\s_-]/g, '').toLowerCase()));
}
