import { isWord } from '../installed-package.ts';
import type { Manifest } from './language-package.ts';

/** Reads a `package.json`. */
export function parseNpmManifest(file: Buffer): Manifest {
  let manifest: unknown;
  try {
    manifest = JSON.parse(file.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    return { is: 'invalid' };
  }
  if (typeof manifest !== 'object' || manifest === null) return { is: 'invalid' };
  const { name, version } = manifest as { readonly name?: unknown; readonly version?: unknown };
  if (name === undefined || version === undefined) return { is: 'unnamed' };
  if (typeof name !== 'string' || typeof version !== 'string') return { is: 'invalid' };
  return isWord(name) && isWord(version) ? { is: 'package', package: { name, version } } : { is: 'invalid' };
}
