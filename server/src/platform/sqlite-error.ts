/** Primary result codes of SQLite: another process writes, the disk fails, the disk is full. */
const [busy, ioError, full] = [5, 10, 13];
/** EFBIG, ENOSPC and EDQUOT as Linux numbers them: SQLite gives only the second a code of its own. */
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

/** It is not the file that is wrong: it may be whole, and open the next time. */
export function isTransient(error: unknown): boolean {
  return [busy, ioError, full].includes(codeOf(error as SqliteError));
}
