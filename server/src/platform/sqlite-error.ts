/** Primary result codes of SQLite: BUSY, IOERR and FULL. */
const [busy, ioError, full] = [5, 10, 13];
/** Linux error numbers of EFBIG, ENOSPC and EDQUOT; only ENOSPC has a SQLite result code of its own. */
const fullErrnos = [27, 28, 122];

interface SqliteError {
  readonly errcode?: unknown;
  readonly systemErrno?: unknown;
}

function codeOf({ errcode }: SqliteError): number {
  return Number(errcode ?? 0) & 0xff;
}

export function isBusy(error: unknown): boolean {
  return codeOf(error as SqliteError) === busy;
}

export function isFull(error: unknown): boolean {
  const failure = error as SqliteError;
  return isIoFailure(error) ? fullErrnos.includes(Number(failure.systemErrno)) : codeOf(failure) === full;
}

export function isIoFailure(error: unknown): boolean {
  return codeOf(error as SqliteError) === ioError;
}

/** Whether the cause is temporary and the file may be intact. */
export function isTransient(error: unknown): boolean {
  return [busy, ioError, full].includes(codeOf(error as SqliteError));
}
