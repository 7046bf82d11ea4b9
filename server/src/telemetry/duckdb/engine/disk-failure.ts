import { isOutOfMemory } from './engine.ts';

const failure = /^(?:IO|FATAL) Error|^TransactionContext Error: Failed to commit/;
const full = /No space left on device|Disk quota exceeded|File too large/;

/** Whether the engine failed to read or write; the transaction was rolled back. */
export function isDiskFailure(error: unknown): boolean {
  return failure.test(messageOf(error)) && !isOutOfMemory(error);
}

/** The operating system's message if the disk is full. */
export function diskFullReason(error: unknown): string | undefined {
  return full.exec(messageOf(error))?.[0];
}

/** Whether the engine has invalidated a file, or itself, after a fatal error. */
export function isInvalidated(error: unknown): boolean {
  return /has been invalidated/.test(messageOf(error));
}

/** Whether a block of a file is unreadable or fails its checksum. */
export function isDamagedBlock(error: unknown): boolean {
  return /Corrupt database file|Could not read (?:enough bytes )?from file/.test(messageOf(error));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
