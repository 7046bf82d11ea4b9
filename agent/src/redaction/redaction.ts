import { mask, patterns } from './rules.ts';
import { isSecretAssignment, maxNameLength } from './secret-name.ts';
import { WordMasking } from './word-masking.ts';
import { joinLine, splitLine } from './words.ts';

/** Characters of a reported command line. */
export const maxLineLength = 8_192;
/** At the end of a line that is cut, a secret may be cut too, and no longer be recognized: so much is left out at most. */
const maxTail = 2_048;
/** What is masked may join what was apart; usually the second pass changes nothing. */
const maxPasses = 8;

/** The command line of the parameters of a process, without its secrets. */
export function redactedCommandLine(parameters: readonly string[]): string {
  const masking = new WordMasking(maskedText);
  const masked = bounded(parameters).map((word) => masking.next(maskedMembers(word)));
  return stable(masked.join(' '));
}

/** A command line without its secrets. What was redacted already does not change. */
export function redactedLine(line: string): string {
  return stable(cut(line));
}

function stable(line: string): string {
  let current = cut(line);
  for (let pass = 0; pass < maxPasses; pass++) {
    const next = cut(masked(current));
    if (next === current) break;
    current = next;
  }
  return current;
}

function masked(line: string): string {
  let text = maskedText(maskedMembers(line), true);
  for (const { pattern, replacement, isSecret } of patterns)
    text = isSecret
      ? text.replace(pattern, (found) => (isSecret(found) ? replacement : found))
      : text.replace(pattern, replacement);
  return text;
}

/** Masks within a text of several words, in each of its quoted parts, and in parts of a word such as those of a query. */
function maskedText(text: string, isScript: boolean): string {
  if (!/[\s"']/.test(text)) return maskedParts(text);
  const { words, spaces } = splitLine(text);
  const masking = new WordMasking(maskedWord);
  if (words.length === 1 && !isScript) return joinLine({ words: words.map(maskedWord), spaces });
  return joinLine({ words: words.map((word) => masking.next(word)), spaces });
}

function maskedWord(word: string): string {
  const inner = word.replace(
    /"[^"]+"|'[^']+'/g,
    (quoted) => quoted[0] + maskedText(quoted.slice(1, -1), true) + quoted[0],
  );
  return maskedParts(inner);
}

/** Assignments within a word: `postgres://host/?password=X&x=1`, `Server=db;Pwd=X;`, `user=a,password=X`. */
const part = new RegExp(`([?&;,({"'|])([A-Za-z_][\\w.-]{0,${maxNameLength}})=(?=[^\\s"'])`, 'g');
const ends: Readonly<Record<string, RegExp>> = {
  '?': /[\s"'&#]/g,
  '&': /[\s"'&#]/g,
  ';': /[\s"';]/g,
  ',': /[\s"',]/g,
};
const otherEnd = /[\s"']/g;

function maskedParts(word: string): string {
  let result = '';
  let from = 0;
  part.lastIndex = 0;
  for (let found = part.exec(word); found; found = part.exec(word)) {
    const [, before = '', name = ''] = found;
    if (!isSecretAssignment(name)) continue;
    const begin = part.lastIndex;
    const end = ends[before] ?? otherEnd;
    end.lastIndex = begin;
    result += word.slice(from, begin) + mask;
    from = end.exec(word)?.index ?? word.length;
    part.lastIndex = from;
  }
  return result + word.slice(from);
}

/** Members of JSON, also within a quoted string: `{"password": "X"}`. */
const member =
  /(\\?["'])([\w.-]{1,128})\1(\s{0,9}:\s{0,9})(\\"(?:[^"\\]|\\[^"])*(?:\\")?|"(?:[^"\\]|\\[\s\S])*"?|'[^']*'?|[^\s,}\]"'\\[{]+)/g;

function maskedMembers(text: string): string {
  return text.replace(member, (all: string, quote: string, name: string, colon: string) =>
    isSecretAssignment(name) ? `${quote}${name}${quote}${colon}${quote}${mask}${quote}` : all,
  );
}

function bounded(parameters: readonly string[]): readonly string[] {
  let length = -1;
  for (const [index, parameter] of parameters.entries()) {
    const room = maxLineLength - length - 1;
    length += parameter.length + 1;
    if (length > maxLineLength) return [...parameters.slice(0, index), cut(parameter, Math.max(0, room))];
  }
  return parameters;
}

function cut(text: string, length = maxLineLength): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, Math.max(0, length - 2));
  const space = kept.search(/\s\S*$/);
  const end = space >= kept.length - maxTail ? Math.max(0, space) : Math.max(0, kept.length - maxTail);
  // The server refuses half a surrogate pair.
  return `${kept.slice(0, end).replace(/[\uD800-\uDBFF]$/, '')} …`;
}
