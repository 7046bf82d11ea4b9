const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};

/** Text of the first element with this name; the older AWS services answer in flat XML. */
export function xmlElement(xml: string, name: string): string | undefined {
  const [opening, closing] = [`<${name}>`, `</${name}>`];
  const begin = xml.indexOf(opening);
  const end = begin < 0 ? -1 : xml.indexOf(closing, begin);
  if (end < 0) return undefined;
  return xml
    .slice(begin + opening.length, end)
    .replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity] ?? entity)
    .trim();
}
