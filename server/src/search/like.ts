/** SQL's LIKE: % is any text, _ is any one code point, nothing escapes them, and the whole text must match. */
export function likeMatcher(pattern: string): (text: string) => boolean {
  return matcher(pattern, (character) => character);
}

/** Folding each code point by itself keeps _ one character wide and does not depend on the neighbours. */
export function ilikeMatcher(pattern: string): (text: string) => boolean {
  return matcher(pattern, (character) => character.toLowerCase());
}

function matcher(pattern: string, fold: (character: string) => string): (text: string) => boolean {
  const parts = Array.from(pattern, fold);
  return (text) => covers(parts, Array.from(text, fold));
}

/** Returns only ever to the last %, so a pattern full of them can not make the work explode. */
function covers(pattern: readonly string[], text: readonly string[]): boolean {
  let at = 0;
  let position = 0;
  let afterPercent = -1;
  let resumeAt = 0;
  while (position < text.length) {
    if (pattern[at] === '%') {
      at += 1;
      afterPercent = at;
      resumeAt = position;
    } else if (pattern[at] === '_' || pattern[at] === text[position]) {
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

/** The longest part between two %: a text of n characters takes at most n times as many steps. */
export function longestPart(pattern: string): number {
  return Math.max(1, ...pattern.split('%').map(({ length }) => length));
}
