const longest = 60;

/** Control and formatting characters, line separators, halves of surrogate pairs: a terminal or log would obey them. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Text of a request as a message may repeat it: short, on one line, printable. */
export function printable(text: string, most = longest): string {
  const shown = text.length > most ? `${text.slice(0, most)}…` : text;
  return shown.replaceAll(unprintable, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

export function quoted(text: string, most?: number): string {
  return `'${printable(text, most)}'`;
}
