const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that HTML does not allow, and those that change the direction of the text around them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const unprintable = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]/g;

/** The value as text or as the value of a quoted attribute. */
export function escaped(value: string): string {
  return value
    .toWellFormed()
    .replaceAll(unprintable, '\ufffd')
    .replaceAll(/[&<>"']/g, (sign) => entities[sign] as string);
}

/** The value as a string of CSS, in a style element: neither ends, whatever it contains. */
export function cssString(value: string): string {
  const inner = value
    .toWellFormed()
    .replaceAll(unprintable, '\ufffd')
    .replaceAll(/[^A-Za-z0-9 .,:()/_-]/gu, (sign) => `\\${(sign.codePointAt(0) as number).toString(16)} `);
  return `"${inner}"`;
}
