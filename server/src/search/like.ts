/** SQL LIKE on the whole string: % matches any substring, _ one code point; there is no escape character. */
export function likeMatcher(pattern: string): (string: string) => boolean {
  return matcher(pattern, (character) => character);
}

/** Folds each code point on its own, so that _ stays one character wide. */
export function ilikeMatcher(pattern: string): (string: string) => boolean {
  return matcher(pattern, (character) => character.toLowerCase());
}

function matcher(pattern: string, fold: (character: string) => string): (string: string) => boolean {
  const characters = Array.from(pattern, fold);
  return (string) => matchesAll(characters, Array.from(string, fold));
}

/** Backtracks only to the last %, so that patterns with many % stay polynomial. */
function matchesAll(pattern: readonly string[], string: readonly string[]): boolean {
  let at = 0;
  let position = 0;
  let afterPercent = -1;
  let resumeAt = 0;
  while (position < string.length) {
    if (pattern[at] === '%') {
      at += 1;
      afterPercent = at;
      resumeAt = position;
    } else if (pattern[at] === '_' || pattern[at] === string[position]) {
      at += 1;
      position += 1;
    } else if (afterPercent >= 0) {
      at = afterPercent;
      resumeAt += 1;
      position = resumeAt;
    } else {
      return false;
    }
  }
  while (pattern[at] === '%') at += 1;
  return at === pattern.length;
}

/** The longest segment between two %: matching n characters takes at most n times as many steps. */
export function maxSegmentLength(pattern: string): number {
  return Math.max(1, ...pattern.split('%').map(({ length }) => length));
}
