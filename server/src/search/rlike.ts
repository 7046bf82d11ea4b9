import { RE2JS, RE2JSSyntaxException } from 're2js';

const maxPatternLength = 1_000;
/**
 * Maximum number of instructions of a compiled expression: repetitions such as x{1000} are short to write and slow to
 * run.
 */
const maxProgramSize = 5_000;

/**
 * Unicode properties that re2js supports and the RE2 of the telemetry engine does not, in lower case without
 * underscores.
 */
const unknownProperties = new Set(
  `cn lc ascii asciihexdigit alphabetic assigned dash emoji emojicomponent emojimodifier emojimodifierbase
  emojipresentation extendedpictographic hexdigit lowercase math quotationmark terminalpunctuation unknown uppercase
  whitespace beriaerfe garay gurungkhema kiratrai olonal sidetic sunuwar taiyo todhri tolongsiki tulutigalari`.split(
    /\s+/,
  ),
);

/** A compiled regular expression with its number of instructions. */
export interface Expression {
  readonly size: number;
  matches(string: string): boolean;
}

/** Matches the whole string. The dot matches line breaks, because `.*x.*` is the usual way to write "contains x". */
export function rlikeMatcher(pattern: string): Expression {
  const expression = RE2JS.compile(pattern, RE2JS.DOTALL);
  return { size: expression.programSize(), matches: (string) => expression.testExact(string) };
}

/** The number of instructions, or the reason why the pattern is refused. */
export function readPattern(
  pattern: string,
): { readonly size: number; readonly fault?: undefined } | { readonly fault: string } {
  if (pattern.length > maxPatternLength) return { fault: `longer than ${maxPatternLength} characters` };
  try {
    const property = unknownProperty(pattern);
    if (property) return { fault: `unknown property: ${property}` };
    const size = RE2JS.compile(pattern).programSize();
    return size > maxProgramSize ? { fault: 'too many repetitions' } : { size };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const { error: reason, input } = error;
    return { fault: input ? `${reason}: ${input}` : reason };
  }
}

/**
 * Whether compiling is fast: the pattern is short and has no counted repetitions, flags or Unicode classes, which
 * expand.
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
