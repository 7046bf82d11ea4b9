import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the console's workspace. */
export const consoleFolder = fileURLToPath(new URL('../..', import.meta.url));

/** Where the built files are; the server reads them at its start. */
export const builtFolder = join(consoleFolder, 'dist');
