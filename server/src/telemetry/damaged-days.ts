/** Days of telemetry that can not be opened. Without them searches would silently return incomplete results. */
export class DamagedDaysError extends Error {
  override readonly name = 'DamagedDaysError';

  /** `damaged` maps each file to the error. */
  constructor(damaged: ReadonlyMap<string, string>) {
    const files = [...damaged].map(([file, reason]) => `  - ${file}: ${reason}`);
    super(
      `These days of telemetry can not be opened, and the service does not start without them:\n${files.join('\n')}\n` +
        'No file was changed. Replace each with a copy; or, to start without it, move it and the file of the same name ' +
        'with .wal, if there is one, out of the directory.',
    );
  }
}
