const defaultLength = 60;

/** Control and format characters, line separators and lone surrogates, which terminals and logs would interpret. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Makes user input safe to repeat in a message: truncated, on one line, printable. */
export function printable(value: string, maxLength = defaultLength): string {
  const truncated = value.length > maxLength ? `${value.slice(0, maxLength)}…` : value;
  return truncated.replaceAll(unprintable, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

export function quoted(value: string, maxLength?: number): string {
  return `'${printable(value, maxLength)}'`;
}
