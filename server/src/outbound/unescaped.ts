/** A string with its escapes decoded. */
export interface View {
  readonly text: string;
  /** Start of each character in the original string, and finally its end; absent for the original itself. */
  readonly starts?: Int32Array;
}

const escapes =
  /(?:%[0-9a-f]{2})+|(?:\\x[0-9a-f]{2})+|\\u[0-9a-f]{4}|\\["'\\/bfnrt]|&#x[0-9a-f]{1,6};|&#\d{1,7};|&(?:amp|lt|gt|quot|apos|nbsp);/gi;
const controlCharacters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' },
};

/** Decodes one layer of escapes of URLs, JSON, source code and HTML; undefined if there are none. */
export function unescapedView({ text, starts }: View): View | undefined {
  const parts: string[] = [];
  const offsets = new Int32Array(text.length + 1);
  let [length, copied] = [0, 0];
  const add = (part: string, from: number, step: 0 | 1) => {
    parts.push(part);
    for (let unit = 0; unit < part.length; unit++) {
      const at = from + unit * step;
      offsets[length++] = starts ? (starts[at] as number) : at;
    }
  };
  for (const { 0: sequence, index } of text.matchAll(escapes)) {
    add(text.slice(copied, index), copied, 1);
    decode(sequence, (part, offset) => add(part, index + offset, 0));
    copied = index + sequence.length;
  }
  if (copied === 0) return undefined;
  add(text.slice(copied), copied, 1);
  offsets[length] = starts ? (starts[text.length] as number) : text.length;
  return { text: parts.join(''), starts: offsets };
}

function decode(sequence: string, add: (part: string, offset: number) => void): void {
  if (sequence.startsWith('%')) decodeBytes(sequence, 3, add);
  else if (/^\\x/i.test(sequence)) decodeBytes(sequence, 4, add);
  else add(characterOf(sequence), 0);
}

function characterOf(sequence: string): string {
  const name = sequence.slice(1).replace(/;$/, '').toLowerCase();
  if (sequence.startsWith('\\') && name.startsWith('u') && name.length > 1)
    return String.fromCharCode(Number.parseInt(name.slice(1), 16));
  if (sequence.startsWith('\\')) return controlCharacters[name] ?? name;
  if (!name.startsWith('#')) return entities[name] ?? ' ';
  const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code <= 0x10_ffff ? String.fromCodePoint(code) : ' ';
}

/** Decodes UTF-8 bytes, each written in `width` characters that end with its two hex digits. */
function decodeBytes(sequence: string, width: number, add: (part: string, offset: number) => void): void {
  const digits = Array.from({ length: sequence.length / width }, (_, at) =>
    sequence.slice((at + 1) * width - 2, (at + 1) * width),
  );
  let at = 0;
  for (const character of Buffer.from(digits.join(''), 'hex').toString('utf8')) {
    add(character, at * width);
    at += Math.min(Buffer.byteLength(character), digits.length - at);
  }
}
