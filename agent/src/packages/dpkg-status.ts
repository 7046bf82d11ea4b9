import { isWord, maxPackages, type ParsedPackages } from './installed-package.ts';
import { stanzasOf } from './stanzas.ts';

const fields = new Set(['package', 'version', 'architecture', 'status']);
/** The states in which the files of a package are on the disk. A held package is installed too: `hold ok installed`. */
const present = new Set(['installed', 'unpacked', 'half-configured', 'triggers-awaited', 'triggers-pending']);
const states = new Set([...present, 'not-installed', 'config-files', 'half-installed']);

/** The installed packages of `/var/lib/dpkg/status`. */
export function parseDpkgStatus(file: Buffer): ParsedPackages {
  return parse(file, false);
}

/** The package of a file in `/var/lib/dpkg/status.d`, which images without dpkg have. It has no status. */
export function parseDpkgControl(file: Buffer): ParsedPackages {
  return parse(file, true);
}

function parse(file: Buffer, isControl: boolean): ParsedPackages {
  const packages: ParsedPackages['packages'][number][] = [];
  let damaged = 0;
  for (const stanza of stanzasOf(file, { fields, ignoresCase: true, isOpenEnded: isControl })) {
    if (packages.length === maxPackages) return { packages, damaged: damaged + 1 };
    const state = stanza.get('status')?.split(/\s+/).at(-1) ?? (isControl ? 'installed' : '');
    const [name, version, arch] = [stanza.get('package'), stanza.get('version'), stanza.get('architecture')];
    if (states.has(state) && !present.has(state)) continue;
    if (present.has(state) && isWord(name) && isWord(version) && isWord(arch))
      packages.push({ name, version, arch });
    else damaged++;
  }
  return { packages, damaged };
}
