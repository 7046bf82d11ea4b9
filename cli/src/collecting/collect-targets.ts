import type { Invocation, Report } from '../command.ts';
import { OutputFile } from '../output-file.ts';
import { UsageError } from '../usage-error.ts';
import { runCollection } from './collection-run.ts';
import { FileSink } from './file-sink.ts';
import { HttpSink } from './http-sink.ts';
import { type LocalCloud, shareOf } from './local-clouds.ts';
import { destinationOf, serverOptions } from './server-options.ts';

/** Collects what the user's credentials lead to, and sends it to the server or writes it to a file. */
export async function collectTargets(local: LocalCloud, invocation: Invocation): Promise<Report> {
  return invocation.options.to === undefined
    ? sendTargets(local, invocation)
    : writeTargets(local, invocation);
}

async function sendTargets(local: LocalCloud, { options, context }: Invocation): Promise<Report> {
  const share = shareOf(options);
  const sink = new HttpSink(await destinationOf(context, options), local.cloud);
  const began = Date.now();
  try {
    const { report, budget } = await runCollection({
      ...{ discover: local.discover(options), sink, share, terminal: process.stderr },
    });
    const usage = budget.usage();
    return { data: report.data(usage), text: report.text(usage, secondsSince(began)) };
  } finally {
    sink.close();
  }
}

async function writeTargets(local: LocalCloud, { options }: Invocation): Promise<Report> {
  const unused = Object.keys(serverOptions).find((name) => options[name] !== undefined);
  if (unused) throw new UsageError(`Pass --to or --${unused}, not both.`);
  const share = shareOf(options);
  const path = String(options.to);
  // Inventories are for their owner only.
  const file = await OutputFile.open(path, { mode: 0o600 });
  const began = Date.now();
  try {
    const sink = await FileSink.open(file, local.cloud);
    const { report, budget } = await runCollection({
      ...{ discover: local.discover(options), sink, share, terminal: process.stderr },
    });
    await sink.end(report.problems);
    await file.finish();
    const usage = budget.usage();
    return {
      data: { file: path, ...report.data(usage) },
      text: `${report.text(usage, secondsSince(began))}\nWritten to ${path}.`,
    };
  } finally {
    await file.close();
  }
}

function secondsSince(began: number): number {
  return (Date.now() - began) / 1_000;
}
