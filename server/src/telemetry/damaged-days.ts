/** Days of telemetry that can not be opened. Without them searches would silently return incomplete results. */
export class DamagedDaysError extends Error {
  override readonly name = 'DamagedDaysError';

  /** `damaged` maps each file to the error. */
  constructor(damaged: ReadonlyMap<string, string>) {
    const files = [...damaged].map(([file, reason]) => `  - ${file}: ${reason}`);
    super(
      `These days of telemetry can not be opened, and the service does not start without them:\n${files.join('\n')}\n` +
        'The files were left as they are, and so was every other day. Bring each back from a copy; or, to go on without ' +
        'it, move it and the file of the same name with .wal, if there is one, out of the directory.',
    );
  }
}
