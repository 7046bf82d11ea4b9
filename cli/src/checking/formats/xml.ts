/** Characters that XML 1.0 can not have, not even escaped: controls, halves of characters and two others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are to be found.
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Escapes a string for an element or an attribute; what XML can not have is written as `\u0000`. */
export function xml(string: string): string {
  return string
    .toWellFormed()
    .replace(impossible, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
