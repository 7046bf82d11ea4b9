import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Overwrites some bytes of a day's file, by default in the middle, to simulate disk corruption; returns its path. */
export function damageDay(dataDirectory: string, day: string, positions = [0.4, 0.5, 0.6]): string {
  const days = join(dataDirectory, 'telemetry', 'days');
  const name = readdirSync(days).find((entry) => entry.startsWith(day) && entry.endsWith('.duckdb'));
  const file = join(days, String(name));
  const { size } = statSync(file);
  const handle = openSync(file, 'r+');
  for (const position of positions) writeSync(handle, 'damaged', Math.floor(size * position));
  closeSync(handle);
  return file;
}
