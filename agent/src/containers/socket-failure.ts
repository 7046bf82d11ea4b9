import { accessAdvice, isRoot } from '../host/access-advice.ts';
import { absent, type Reading, unreadable } from '../reading.ts';

/** Why a socket gave no answer. Without a listener, the runtime is not running: that is the same as none. */
export function socketFailure(error: unknown, signal: AbortSignal): Reading<never> {
  if (signal.aborted) return unreadable('It did not answer in time.');
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ECONNREFUSED':
      return absent;
    case 'EACCES':
    case 'EPERM':
      return unreadable(`Its socket may not be opened. ${accessAdvice('sockets', isRoot())}`);
    default:
      return unreadable(`Its answer could not be read: ${message.slice(0, 200)}`);
  }
}
