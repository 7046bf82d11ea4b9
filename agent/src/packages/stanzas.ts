const [newline, colon, space, tab] = [0x0a, 0x3a, 0x20, 0x09];
const maxFieldName = 64;
const maxValue = 1024;

export interface StanzaForm {
  /** The fields to read, in lower case if case is ignored. */
  readonly fields: ReadonlySet<string>;
  readonly ignoresCase?: boolean;
  /** Whether the last line may end with the file. Otherwise it is incomplete, and so may be its value. */
  readonly isOpenEnded?: boolean;
}

/**
 * The stanzas of a file in the format of Debian control files, which apk uses too: `field: value` lines, with an empty line
 * after each stanza. Lines that start with a space continue the value before, and are left out. Values are copied from the
 * buffer one by one: substrings of the whole file would keep it in memory.
 */
export function* stanzasOf(file: Buffer, form: StanzaForm): Generator<ReadonlyMap<string, string>> {
  let stanza: Map<string, string> | undefined;
  for (let at = 0; at < file.length; ) {
    const found = file.indexOf(newline, at);
    if (found < 0 && !form.isOpenEnded) break;
    const end = found < 0 ? file.length : found;
    if (end === at) {
      if (stanza) yield stanza;
      stanza = undefined;
    } else {
      stanza ??= new Map();
      addField(stanza, file.subarray(at, end), form);
    }
    at = end + 1;
  }
  if (stanza) yield stanza;
}

function addField(stanza: Map<string, string>, line: Buffer, { fields, ignoresCase }: StanzaForm): void {
  if (line[0] === space || line[0] === tab) return;
  const separator = line.subarray(0, maxFieldName).indexOf(colon);
  if (separator < 0 || line.length - separator > maxValue) return;
  const name = line.toString('latin1', 0, separator);
  const field = ignoresCase ? name.toLowerCase() : name;
  if (fields.has(field) && !stanza.has(field)) stanza.set(field, line.toString('utf8', separator + 1).trim());
}
