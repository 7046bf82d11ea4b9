/** An element of a document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

const token = /<\?xml [^?]*\?>\s*|<(\/?)([\w.-]+)((?:\s+[\w.-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there.
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** Parses XML without comments, sections and named entities, and refuses everything that is not well-formed. */
export function parseXml(document: string): XmlElement {
  if (impossible.test(document) || !document.isWellFormed()) throw new Error('A character is not allowed.');
  const root: OpenElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  let end = 0;
  for (const { 0: whole, 1: closing, 2: name, 3: attributes, 4: empty, 5: text, index } of document.matchAll(
    token,
  )) {
    if (index !== end) break;
    end += whole.length;
    const current = open.at(-1) as OpenElement;
    if (text !== undefined) current.text += unescaped(text);
    else if (closing) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> ends another element.`);
    } else if (name !== undefined) {
      const element: OpenElement = {
        name,
        attributes: attributesOf(attributes ?? ''),
        children: [],
        text: '',
      };
      current.children.push(element);
      if (!empty) open.push(element);
    }
  }
  const [element] = root.children;
  if (end !== document.length || open.length !== 1 || !element || root.children.length > 1)
    throw new Error(`It is not well-formed at ${end}: ${document.slice(end, end + 40)}`);
  return element;
}

function attributesOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([\w.-]+)="([^"]*)"/g)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, unescaped(value)]));
}

function unescaped(text: string): string {
  return text.replaceAll(/&(#(\d+);)?/g, (whole, reference, number) => {
    if (!reference) throw new Error(`${whole} is not escaped.`);
    return String.fromCodePoint(Number(number));
  });
}
