import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Whether the program is installed. */
export const hasSshKeygen = (() => {
  try {
    execFileSync('ssh-keygen', ['-?'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
})();

export interface GeneratedKey {
  readonly privateKey: string;
  /** A line of authorized_keys. */
  readonly publicKey: string;
  /** As `ssh-keygen -l` prints them. */
  readonly sha256: string;
  readonly md5: string;
  readonly kind: string;
}

/** A new key in a file of the directory. */
export function generatedKey(file: string, ...parameters: readonly string[]): GeneratedKey {
  execFileSync('ssh-keygen', ['-q', '-C', 'test', '-f', file, ...parameters], { stdio: 'ignore' });
  const printed = (digest: string) =>
    execFileSync('ssh-keygen', ['-l', '-E', digest, '-f', `${file}.pub`], { encoding: 'utf8' }).trim();
  const [, sha256 = '', ...rest] = printed('sha256').split(' ');
  return {
    privateKey: readFileSync(file, 'utf8'),
    publicKey: readFileSync(`${file}.pub`, 'utf8').trim(),
    sha256,
    md5: printed('md5').split(' ')[1] ?? '',
    kind: rest.at(-1)?.replace(/[()]/g, '') ?? '',
  };
}
