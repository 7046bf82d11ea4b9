import { isOutOfMemory } from './engine.ts';

const failure = /^(?:IO|FATAL) Error|^TransactionContext Error: Failed to commit/;
const full = /No space left on device|Disk quota exceeded|File too large/;

/** Whether the engine could not read or write; nothing is kept of what it was to commit. */
export function isDiskFailure(error: unknown): boolean {
  return failure.test(messageOf(error)) && !isOutOfMemory(error);
}

/** How the system says that there is no room, if that is what happened. */
export function fullness(error: unknown): string | undefined {
  return full.exec(messageOf(error))?.[0];
}

/** Whether the engine takes no more statements for a file, or none at all. */
export function isInvalidated(error: unknown): boolean {
  return /has been invalidated/.test(messageOf(error));
}

/** Whether a block of a file can not be read, or is not what was written. */
export function isDamagedBlock(error: unknown): boolean {
  return /Corrupt database file|Could not read (?:enough bytes )?from file/.test(messageOf(error));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
