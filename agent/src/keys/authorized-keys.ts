import { kindOf, type PublicKey, publicKeyOf } from './public-key.ts';
import { WireReader } from './wire-reader.ts';

export interface AuthorizedKeys {
  /** Each key once. */
  readonly keys: readonly PublicKey[];
  /** Lines that are neither a key nor a comment. */
  readonly unknownLines: number;
}

/** sshd reads longer lines no further. */
const maxLine = 16 * 1024;

/** The keys of an authorized_keys file: options, if any, an algorithm, the key, and a comment. */
export function parseAuthorizedKeys(text: string): AuthorizedKeys {
  const keys = new Map<string, PublicKey>();
  let unknownLines = 0;
  for (const line of text.split(/\r?\n/)) {
    const content = line.trim();
    if (content === '' || content.startsWith('#')) continue;
    const key = content.length > maxLine ? undefined : keyOf(content);
    if (key) keys.set(key.fingerprintOpensshSha256, key);
    else unknownLines++;
  }
  return { keys: [...keys.values()], unknownLines };
}

function keyOf(line: string): PublicKey | undefined {
  const isKey = (text: string) => kindOf(text.split(/[ \t]/, 1)[0] ?? '') !== undefined;
  const [algorithm = '', base64 = ''] = (isKey(line) ? line : afterOptions(line)).split(/[ \t]+/, 2);
  if (!isKey(algorithm) || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  const blob = Buffer.from(base64, 'base64');
  return new WireReader(blob).string()?.toString('latin1') === algorithm ? publicKeyOf(blob) : undefined;
}

/** Options end at the first space that is not within quotes. */
function afterOptions(line: string): string {
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\' && line[at + 1] === '"') at++;
    else if (line[at] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (line[at] === ' ' || line[at] === '\t')) return line.slice(at).trimStart();
  }
  return '';
}
