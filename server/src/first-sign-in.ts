import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Service } from './main.ts';
import { Refusal } from './platform/errors.ts';
import { writePrivateFile } from './platform/private-file.ts';
import { shortPath } from './short-path.ts';

export interface FirstSignInOptions {
  readonly dataDirectory: string;
  /** Whether a person sees the greeting; otherwise it is kept in logs, where the link does not belong. */
  readonly isTerminal: boolean;
}

/** How the first user signs in to the console, for the greeting; undefined if any user can already. */
export async function firstSignIn(
  service: Pick<Service, 'hasPassword' | 'firstLink'>,
  { dataDirectory, isTerminal }: FirstSignInOptions,
): Promise<string | undefined> {
  const file = join(dataDirectory, 'sign-in-link');
  rmSync(file, { force: true });
  if (await service.hasPassword()) return undefined;
  try {
    const url = await service.firstLink();
    if (isTerminal) return `${url} (once, within an hour)`;
    writePrivateFile(file, `${url}\n`);
    return `open the link in ${shortPath(file)} (once, within an hour)`;
  } catch (error) {
    // The service works without the console, for example without TLS or with a full disk.
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
