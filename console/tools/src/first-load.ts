import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { builtFolder } from './places.ts';

/** Limit of the script that a browser loads before the first screen is shown: bytes after gzip. */
export const firstLoadLimit = 200_000;

/** Bytes of compressed script that the page loads at once. */
export function firstLoad(): number {
  const page = readFileSync(join(builtFolder, 'index.html'), 'utf8');
  const scripts = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(
    (match) => match[1] as string,
  );
  return scripts.reduce((sum, name) => sum + statSync(join(builtFolder, `${name}.gz`)).size, 0);
}
