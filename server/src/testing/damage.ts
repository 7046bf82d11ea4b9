import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Overwrites some bytes of the file of a day, by default in its middle, as a disk does that forgets; returns its path. */
export function damageDay(dataDirectory: string, day: string, places = [0.4, 0.5, 0.6]): string {
  const days = join(dataDirectory, 'telemetry', 'days');
  const name = readdirSync(days).find((each) => each.startsWith(day) && each.endsWith('.duckdb'));
  const file = join(days, String(name));
  const { size } = statSync(file);
  const handle = openSync(file, 'r+');
  for (const place of places) writeSync(handle, 'damaged', Math.floor(size * place));
  closeSync(handle);
  return file;
}
