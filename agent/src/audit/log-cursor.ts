/** Where the log is read on. */
export interface LogCursor {
  readonly inode: number;
  readonly offset: number;
  /** Lines that wait for the rest of their event. */
  readonly waiting: readonly string[];
}

/** Undefined if it is not one. */
export function parseLogCursor(value: unknown): LogCursor | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { inode, offset, waiting } = value as Record<string, unknown>;
  if (!isNatural(inode) || !isNatural(offset) || !Array.isArray(waiting)) return undefined;
  return waiting.every((line) => typeof line === 'string') ? { inode, offset, waiting } : undefined;
}

function isNatural(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
