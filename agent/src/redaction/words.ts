/** A quoted string, white space, or a part of a word. Only the last quote of a kind can be one that nothing closes. */
const piece = /"[^"]*"|'[^']*'|\s+|[^\s"']+|["']/g;

export interface SplitLine {
  readonly words: string[];
  /** The white space before each word, and that at the end. */
  readonly spaces: string[];
}

/** The words of a command line as a shell would split it, with their quotes. */
export function splitLine(line: string): SplitLine {
  const words: string[] = [];
  const spaces: string[] = [''];
  let isInWord = false;
  for (const [text] of line.matchAll(piece)) {
    if (/^\s/.test(text)) {
      if (words.length < spaces.length) spaces[spaces.length - 1] = text;
      else spaces.push(text);
      isInWord = false;
    } else if (isInWord) {
      words[words.length - 1] += text;
    } else {
      if (words.length === spaces.length) spaces.push('');
      words.push(text);
      isInWord = true;
    }
  }
  if (spaces.length === words.length) spaces.push('');
  return { words, spaces };
}

export function joinLine({ words, spaces }: SplitLine): string {
  return words.map((word, index) => (spaces[index] ?? '') + word).join('') + (spaces[words.length] ?? '');
}
