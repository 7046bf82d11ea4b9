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

/** The whole text must match. The dot takes line breaks too: `.*x.*` is how people write "contains x". */
export function rlikeMatcher(pattern: string): (text: string) => boolean {
  const expression = RE2JS.compile(pattern, RE2JS.DOTALL);
  return (text) => expression.testExact(text);
}

/** Why the pattern can not be used, or undefined when it can. */
export function rlikeFault(pattern: string): string | undefined {
  if (pattern.length > longestPattern) return `longer than ${longestPattern} characters`;
  try {
    const property = unknownProperty(pattern);
    if (property) return `unknown property: ${property}`;
    const size = RE2JS.compile(pattern).programSize();
    return size > largestProgram ? 'too many repetitions' : undefined;
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const { error: reason, input } = error;
    return input ? `${reason}: ${input}` : reason;
  }
}

function unknownProperty(pattern: string): string | undefined {
  const escapes = pattern.matchAll(/\\Q.*?(?:\\E|$)|\\[pP]\{\^?([^}]*)\}|\\./gs);
  return [...escapes]
    .map(([, name]) => name)
    .find((name) => name && unknownProperties.has(name.replace(/[\s_-]/g, '').toLowerCase()));
}
