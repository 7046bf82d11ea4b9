import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const telemetryDirectoryOf = (dataDirectory: string): string => join(dataDirectory, 'telemetry');

/** Whether there are records or resources, including a pending restore. */
export function holdsTelemetry(directory: string): boolean {
  return (
    existsSync(directory) &&
    readdirSync(directory, { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith('.duckdb'))
  );
}
