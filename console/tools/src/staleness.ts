import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { builtFolder, consoleFolder } from './places.ts';

/** Written last, so that an interrupted build is repeated. */
export const stampFile = join(builtFolder, '.built');

/** Whether a source, or the version of a package, is newer than the last build. */
export function isStale(): boolean {
  const built = timeOf(stampFile);
  const files = ['index.html', 'package.json', '../package-lock.json', 'tools/src'].map((name) =>
    join(consoleFolder, name),
  );
  return (
    built === 0 || [...files, ...treeOf(join(consoleFolder, 'src'))].some((file) => timeOf(file) > built)
  );
}

/** Folders are included: their time changes when a file is deleted. */
function treeOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return [folder, ...names.filter((name) => !name.includes('.test.')).map((name) => join(folder, name))];
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
