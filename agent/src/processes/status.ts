export interface ProcessUsers {
  readonly uid: number;
  readonly effectiveUid: number;
}

/** The users of a process in `/proc/PID/status`; undefined if it does not name them. */
export function parseUsers(text: string): ProcessUsers | undefined {
  const ids = /^Uid:\t(\d{1,10})\t(\d{1,10})\t/m.exec(text);
  const [uid, effectiveUid] = [Number(ids?.[1] ?? -1), Number(ids?.[2] ?? -1)];
  return isId(uid) && isId(effectiveUid) ? { uid, effectiveUid } : undefined;
}

function isId(value: number): boolean {
  return value >= 0 && value < 2 ** 32;
}
