import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

/** Certificates that PEM files hold; a file that can not be read holds none, as Node itself treats it. */
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
 * The authorities that a server's certificate may come from: those of Node, of NODE_EXTRA_CA_CERTS, and of the data
 * directory. Node forgets the second kind when it is given a list, so without further files it is given none.
 */
export function trustedAuthorities(
  authorityFile: string | undefined,
  environment: NodeJS.ProcessEnv,
): string[] | undefined {
  const own = certificatesIn([authorityFile]);
  if (own.length === 0) return undefined;
  return [...rootCertificates, ...certificatesIn([environment.NODE_EXTRA_CA_CERTS]), ...own];
}
