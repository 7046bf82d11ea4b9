import { isWord, maxPackages, type ParsedPackages } from './installed-package.ts';
import { stanzasOf } from './stanzas.ts';

/** The case matters: `P` is the name, `p` what the package provides. */
const fields = new Set(['P', 'V', 'A']);

/** The packages of `/lib/apk/db/installed`. */
export function parseApkInstalled(file: Buffer): ParsedPackages {
  const packages: ParsedPackages['packages'][number][] = [];
  let damaged = 0;
  for (const stanza of stanzasOf(file, { fields })) {
    if (packages.length === maxPackages) return { packages, damaged: damaged + 1 };
    const [name, version, arch = 'noarch'] = [stanza.get('P'), stanza.get('V'), stanza.get('A')];
    if (isWord(name) && isWord(version) && isWord(arch)) packages.push({ name, version, arch });
    else damaged++;
  }
  return { packages, damaged };
}
