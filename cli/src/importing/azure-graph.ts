import { CollectError } from '@vedette/server/collect/inventory/problem';
import { UsageError } from '../usage-error.ts';
import type { ImportFile } from './import-file.ts';
import type { Importer } from './importer.ts';

const region = 'global';

/** The files are the pages of one query. */
export const importAzureGraphFiles: Importer = async (files, { write, ignore }) => {
  const { GraphImportError, importAzureGraph } = await import('@vedette/server/collect/azure/graph-import');
  const rows: unknown[] = [];
  const pages: Page[] = [];
  for (const file of files) {
    const content = await file.json();
    // The rows of all files are taken together; problems are those of one.
    await file.explained(() =>
      importAzureGraph(content).catch((error: Error) => {
        if (!(error instanceof GraphImportError)) throw error;
        throw new CollectError({ status: 'failed', reason: error.message });
      }),
    );
    const page = pageOf(file, content);
    pages.push(page);
    rows.push(...page.rows);
  }
  const cut = pages.find(({ isContinued, total }) => isContinued && rows.length < total);
  if (cut)
    throw new UsageError(
      `${cut.file.path}: It has ${rows.length} of ${cut.total} rows: query with --first 1000, then with --skip-token, and import all pages together.`,
    );
  const { kinds, ignored } = await importAzureGraph(rows);
  ignore(ignored);
  await write(undefined, async (snapshots) => {
    for (const { kind, cloudAccount, resources } of kinds)
      for (const resource of resources) await snapshots.add({ kind, cloudAccount, region }, resource);
  });
};

interface Page {
  readonly file: ImportFile;
  readonly rows: readonly unknown[];
  readonly isContinued: boolean;
  readonly total: number;
}

function pageOf(file: ImportFile, content: unknown): Page {
  if (Array.isArray(content)) return { file, rows: content, isContinued: false, total: content.length };
  const { data, skip_token, total_records } = content as {
    data: unknown[];
    skip_token?: unknown;
    total_records?: unknown;
  };
  const total = typeof total_records === 'number' ? total_records : Infinity;
  return { file, rows: data, isContinued: typeof skip_token === 'string' && skip_token !== '', total };
}
