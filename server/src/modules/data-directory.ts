import { removeScratch } from '../operator/restore-scratch.ts';
import { createDataDirectory, lockDataDirectory } from '../platform/data-directory.ts';
import { restrictPermissions } from '../platform/file-modes.ts';
import type { Module, ModuleContext } from './module.ts';

/** First, because every other module may write to the data directory. */
export function dataDirectoryModule({ configuration, log }: ModuleContext): Module {
  const directory = configuration.VEDETTE_DATA_DIR;
  createDataDirectory(directory);
  const lock = lockDataDirectory(directory);
  removeScratch(directory);
  restrictPermissions(directory, log);
  return { close: () => lock.release() };
}
