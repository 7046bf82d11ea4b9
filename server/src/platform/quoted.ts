const defaultLength = 60;

/** Control and format characters, line separators and lone surrogates, which terminals and logs would interpret. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Makes user input safe to repeat in a message: truncated, on one line, printable. */
export function printable(text: string, maxLength = defaultLength): string {
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return shown.replaceAll(unprintable, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

export function quoted(text: string, maxLength?: number): string {
  return `'${printable(text, maxLength)}'`;
}
