import { CollectError } from '@vedette/server/collect/inventory/problem';
import type { ImportFile } from './import-file.ts';
import type { Importer } from './importer.ts';

const region = 'global';

/** The files are read line by line, twice. */
export const importGcpAssetFiles: Importer = async (files, { write, ignore }) => {
  const { AssetImport } = await import('@vedette/server/collect/gcp/asset-import');
  const position = new Position(files[0] as ImportFile);
  async function* lines(): AsyncGenerator<string> {
    position.lines = 0;
    for (const file of files) {
      position.enter(file);
      for await (const line of file.lines()) {
        position.lines++;
        yield line;
      }
    }
  }
  try {
    const assets = await AssetImport.open(lines);
    const cloudAccount = assets.parent;
    await write(undefined, async (snapshots) => {
      for await (const { kind, resource } of assets.resources())
        await snapshots.add({ kind, cloudAccount, region }, resource);
    });
    ignore(assets.ignored);
  } catch (error) {
    throw position.explain(error);
  }
};

/** Where several files are read as one: problems name the file and its line. */
class Position {
  lines = 0;
  #file: ImportFile;
  #before = 0;

  constructor(file: ImportFile) {
    this.#file = file;
  }

  enter(file: ImportFile): void {
    this.#file = file;
    this.#before = this.lines;
  }

  explain(error: unknown): unknown {
    if (!(error instanceof CollectError)) return error;
    const { status, reason } = error;
    const own = reason.replace(/^Line (\d+)/, (_, number) => `Line ${Number(number) - this.#before}`);
    return this.#file.problem(new CollectError({ status, reason: own }));
  }
}
