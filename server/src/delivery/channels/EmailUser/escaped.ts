import { truncate } from '../../bounded-string.ts';

const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
/** Text in HTML, shortened to a length. */
export const escaped = (text: string, maxLength: number) =>
  truncate(text, maxLength, (character) => htmlEntities[character] ?? character);
