import type { Cloud } from '@vedette/server/collect/inventory/cloud';
import type { SnapshotSink } from '@vedette/server/collect/inventory/sink';
import { CollectionReport } from '../collecting/collection-report.ts';
import { runCollection } from '../collecting/collection-run.ts';
import { type LocalCloud, shareOf } from '../collecting/local-clouds.ts';
import { ResourceFileReader, resourceFileHead } from '../collecting/resource-file-reader.ts';
import type { OptionValues } from '../command.ts';
import { importAwsConfigFiles } from '../importing/aws-config.ts';
import { importAzureGraphFiles } from '../importing/azure-graph.ts';
import { importGcpAssetFiles } from '../importing/gcp-assets.ts';
import { ImportFile } from '../importing/import-file.ts';
import { ImportWriter } from '../importing/import-writer.ts';
import type { Importer } from '../importing/importer.ts';
import { importK8sFiles } from '../importing/k8s.ts';
import type { Terminal } from '../progress.ts';
import { UsageError } from '../usage-error.ts';

const importers: Readonly<Record<Cloud, Importer>> = {
  aws: importAwsConfigFiles,
  gcp: importGcpAssetFiles,
  azure: importAzureGraphFiles,
  k8s: importK8sFiles,
};

export interface SourceRequest {
  readonly local: LocalCloud;
  readonly options: OptionValues;
  /** Files instead of the cloud itself. */
  readonly from: readonly string[];
  /** Only these kinds are needed. */
  readonly kinds: ReadonlySet<string>;
  readonly sink: SnapshotSink;
  readonly terminal: Terminal;
}

/** Reads the resources to check: from the cloud, from files of `collect --to`, or from export files of the cloud. */
export async function readResources(request: SourceRequest): Promise<CollectionReport> {
  const { local, options, from, kinds, sink, terminal } = request;
  if (from.length === 0) {
    const discover = local.discover(options);
    return (await runCollection({ discover, sink, share: shareOf(options), terminal, kinds })).report;
  }
  const files = from.map((path) => new ImportFile(path));
  const heads = await Promise.all(files.map(resourceFileHead));
  const other = heads.findIndex((head) => head !== undefined && head.cloud !== local.cloud);
  if (other >= 0)
    throw new UsageError(
      `${from[other]}: It was collected from ${heads[other]?.cloud}: run vedette check ${heads[other]?.cloud}.`,
    );
  const report = new CollectionReport();
  for (const [index, file] of files.entries()) {
    if (!heads[index]) continue;
    const reader = new ResourceFileReader(file, sink, kinds);
    for await (const result of reader.results()) report.add([result]);
    for (const problem of reader.problems) report.addProblem(problem);
  }
  const exports = files.filter((_, index) => !heads[index]);
  if (exports.length > 0) await importExports(exports, request, report);
  if (report.isUnread)
    throw new UsageError(`Nothing that the policies need is in ${from.join(', ')}.\n${report.text([], 0)}`);
  return report;
}

async function importExports(
  files: readonly ImportFile[],
  { local, options, sink }: SourceRequest,
  report: CollectionReport,
): Promise<void> {
  await importers[local.cloud](files, {
    options,
    async write(captured, fill) {
      const modified = await Promise.all(files.map((file) => file.modified()));
      const snapshots = new ImportWriter(sink, captured ?? Math.max(...modified));
      await fill(snapshots);
      for await (const result of snapshots.finish()) report.add([result]);
    },
    // Kinds without a policy are not needed.
    ignore() {},
  });
}
