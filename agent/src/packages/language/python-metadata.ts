import { isWord } from '../installed-package.ts';
import { stanzasOf } from '../stanzas.ts';
import type { Manifest } from './language-package.ts';

const fields = new Set(['name', 'version']);

/** Reads a `METADATA` file. Its headers end with an empty line; the description follows. */
export function parsePythonMetadata(file: Buffer): Manifest {
  const [headers] = stanzasOf(file, { fields, ignoresCase: true, isOpenEnded: true });
  const [name, version] = [headers?.get('name'), headers?.get('version')];
  return isWord(name) && isWord(version) ? { is: 'package', package: { name, version } } : { is: 'invalid' };
}
