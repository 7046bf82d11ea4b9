import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

/** Unreadable files are ignored, as Node does for NODE_EXTRA_CA_CERTS. */
function certificatesIn(files: readonly (string | undefined)[]): string[] {
  return files.flatMap((file) => {
    if (!file) return [];
    try {
      return [readFileSync(file, 'utf8')];
    } catch {
      return [];
    }
  });
}

/**
 * Trusted certificate authorities: those of Node, of NODE_EXTRA_CA_CERTS and of the data directory. An explicit `ca`
 * makes Node ignore NODE_EXTRA_CA_CERTS, so undefined is returned when the data directory has no authority.
 */
export function trustedAuthorities(
  authorityFile: string | undefined,
  environment: NodeJS.ProcessEnv,
): string[] | undefined {
  const own = certificatesIn([authorityFile]);
  if (own.length === 0) return undefined;
  return [...rootCertificates, ...certificatesIn([environment.NODE_EXTRA_CA_CERTS]), ...own];
}
