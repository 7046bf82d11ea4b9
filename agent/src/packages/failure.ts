import { absent, type Reading, unreadable } from '../reading.ts';

/** What a failed access to a file of the host means. The message names the path on the host, not that of its mount. */
export function failureOf(path: string, error: unknown): Reading<never> {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ESRCH':
      return absent;
    case 'EACCES':
    case 'EPERM':
      return unreadable(`${path} may only be read by its owner or root.`);
    default:
      return unreadable(`${path} could not be read: ${code ?? message}`);
  }
}
