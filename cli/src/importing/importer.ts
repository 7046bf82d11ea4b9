import type { OptionValues } from '../command.ts';
import type { ImportFile } from './import-file.ts';
import type { ImportWriter } from './import-writer.ts';

export interface ImportContext {
  readonly options: OptionValues;
  /** Writes the snapshots of this time, and then makes them visible. `--captured` and the files are the default. */
  write(captured: number | undefined, fill: (snapshots: ImportWriter) => Promise<void>): Promise<void>;
  /** Resources that are not imported, by type. */
  ignore(types: Readonly<Record<string, number>>): void;
}

/** Takes the resources of files. Files that are imported together are one export. */
export type Importer = (files: readonly ImportFile[], context: ImportContext) => Promise<void>;
