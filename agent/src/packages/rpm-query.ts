import { maxPackages, type ParsedPackages } from './installed-package.ts';
import { packageOf } from './rpm-header.ts';

const none = '(none)';

/** For `rpm -qa --qf`. A missing value is written as `(none)`. */
export const rpmQueryFormat = '%{NAME}\\t%{EPOCH}\\t%{VERSION}\\t%{RELEASE}\\t%{ARCH}\\n';

/** The packages that `rpm -qa` prints in this format. */
export function parseRpmQuery(output: Buffer): ParsedPackages {
  const packages: ParsedPackages['packages'][number][] = [];
  let damaged = 0;
  for (let at = 0; at < output.length; ) {
    const found = output.indexOf(0x0a, at);
    const end = found < 0 ? output.length : found;
    const [name, epoch, version, release, arch, ...rest] = output
      .toString('utf8', at, end)
      .split('\t')
      .map(presentOf);
    at = end + 1;
    if (name === 'gpg-pubkey') continue;
    if (packages.length === maxPackages) return { packages, damaged: damaged + 1 };
    const header = packageOf({ name, version, release, epoch, arch });
    // A line without its end may have lost a part of its last value.
    if (header.is === 'package' && rest.length === 0 && found >= 0) packages.push(header.package);
    else damaged++;
  }
  return { packages, damaged };
}

function presentOf(value: string): string | undefined {
  return value === none ? undefined : value;
}
