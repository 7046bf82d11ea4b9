import type { Cloud } from '@vedette/server/collect/inventory/cloud';
import { formatInstant, isTimestamp } from '@vedette/server/platform/instant';
import { CollectionReport } from '../collecting/collection-report.ts';
import { HttpSink } from '../collecting/http-sink.ts';
import { destinationOf } from '../collecting/server-options.ts';
import type { Invocation, Report } from '../command.ts';
import { Progress } from '../progress.ts';
import { UsageError } from '../usage-error.ts';
import { ImportFile } from './import-file.ts';
import { ImportWriter } from './import-writer.ts';
import type { Importer } from './importer.ts';

const shownTypes = 20;

/** Imports the resources of files and describes the result like that of a collection. */
export async function importResources(
  cloud: Cloud,
  { positionals, options, context }: Invocation,
  importer: Importer,
): Promise<Report> {
  const files = positionals.map((path) => new ImportFile(path));
  const given = capturedOption(options.captured as string | undefined);
  const destination = await destinationOf(context, options);
  const sink = new HttpSink(destination, cloud);
  const report = new CollectionReport();
  const progress = new Progress(process.stderr, Date.now);
  const ignored = new Map<string, number>();
  const began = Date.now();
  try {
    await importer(files, {
      options,
      async write(captured, fill) {
        const snapshots = new ImportWriter(sink, given ?? captured ?? (await lastModified(files)));
        await fill(snapshots);
        // Before the next file: a newer snapshot would replace what is not finished.
        for await (const result of snapshots.finish()) {
          report.add([result]);
          progress.show(0.5, report.resources);
        }
      },
      ignore(types) {
        for (const [type, count] of Object.entries(types))
          ignored.set(type, (ignored.get(type) ?? 0) + count);
      },
    });
  } finally {
    sink.close();
  }
  progress.show(1, report.resources);
  const types = [...ignored].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    data: { ...report.data([]), ignored: Object.fromEntries(types) },
    text: [report.text([], (Date.now() - began) / 1_000), ...ignoredText(types)].join('\n'),
  };
}

function ignoredText(types: readonly [string, number][]): string[] {
  if (types.length === 0) return [];
  const shown = types.slice(0, shownTypes).map(([type, count]) => `${type} (${count})`);
  const more = types.length > shownTypes ? `, and ${types.length - shownTypes} more: use --json` : '';
  return [`Ignored, because they are not collected: ${shown.join(', ')}${more}.`];
}

async function lastModified(files: readonly ImportFile[]): Promise<number> {
  return Math.max(...(await Promise.all(files.map((file) => file.modified()))));
}

function capturedOption(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!isTimestamp(value))
    throw new UsageError(`--captured must be a time such as 2026-03-01T12:00:00Z, not '${value}'.`);
  const captured = Date.parse(value);
  if (captured <= Date.now()) return captured;
  throw new UsageError(`--captured must not be in the future; it is ${formatInstant(captured)}.`);
}
