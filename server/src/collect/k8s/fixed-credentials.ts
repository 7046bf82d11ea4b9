import { readFile } from 'node:fs/promises';
import { CollectError } from '../inventory/problem.ts';
import type { CredentialSource, K8sCredentials } from './connection.ts';

/** Credentials that do not change, or none. */
export function fixedCredentials(credentials: K8sCredentials): CredentialSource {
  return { isRenewable: false, credentials: async () => credentials };
}

/** A token in a file, which the cluster replaces before it expires. */
export function tokenFileCredentials(path: string): CredentialSource {
  return {
    isRenewable: true,
    async credentials() {
      const token = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        throw new CollectError({
          status: 'failed',
          reason: `The token file ${path} could not be read (${error.code}).`,
        });
      });
      return { headers: { authorization: `Bearer ${token.trim()}` } };
    },
  };
}
