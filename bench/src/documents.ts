import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { csvReport } from '@vedette/server/reports/compliance/csv';
import { ReportDocuments } from '@vedette/server/reports/compliance/documents';
import { htmlReport } from '@vedette/server/reports/compliance/html';
import { printLimit } from '@vedette/server/reports/compliance/outline/print-limit';
import { sampleReport } from '@vedette/server/reports/compliance/report.sample';
import { runBench, type Workspace } from './bench.ts';
import { report as print } from './report.ts';

/** There is no baseline: the ratio is the largest of measured to allowed. */
const limit = 1;
const allowed = { pdfSeconds: 20, megabytes: 500, textSeconds: 3 };
const findings = 10_000;

await runBench({ bench: 'report', limit, timeLimit: 300_000, passes: (ratio) => ratio <= limit }, measure);

async function measure(workspace: Workspace): Promise<number> {
  const report = sampleOf(findings);
  const html = seconds(() => length(htmlReport(report)));
  print('HTML', `${html.seconds.toFixed(2)} s, ${megabytes(html.result)}; at most ${allowed.textSeconds} s`);
  const csv = seconds(() => length(csvReport(report)));
  print('CSV', `${csv.seconds.toFixed(2)} s, ${megabytes(csv.result)}; at most ${allowed.textSeconds} s`);

  const pdfs = new ReportDocuments();
  const delays = monitorEventLoopDelay({ resolution: 5 });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss() / 1e6);
  }, 20);
  delays.enable();
  const start = performance.now();
  const file = join(workspace.directory, 'report.pdf');
  const { pages = 0, bytes = 0 } = (await pdfs.write('bench', { report }, { format: 'pdf', file })) ?? {};
  const pdf = (performance.now() - start) / 1_000;
  delays.disable();
  clearInterval(timer);
  await pdfs.close();
  print('PDF', `${pdf.toFixed(2)} s, ${pages} pages, ${megabytes(bytes)}; at most ${allowed.pdfSeconds} s`);
  print('memory', `${peak.toFixed(0)} MB resident, the whole process; at most ${allowed.megabytes} MB`);
  const [median, high, max] = [delays.percentile(50), delays.percentile(99), delays.max].map((nanoseconds) =>
    (nanoseconds / 1e6).toFixed(0),
  );
  print('timer on the main thread', `every 5 ms: median ${median}, 99 % ${high}, longest ${max} ms`);
  const ratios = [
    ...[html.seconds / allowed.textSeconds, csv.seconds / allowed.textSeconds],
    ...[pdf / allowed.pdfSeconds, peak / allowed.megabytes],
  ];
  return Math.ceil(Math.max(...ratios) * 100) / 100;
}

/** A report with so many findings of all kinds, all of which are printed. */
function sampleOf(total: number) {
  const options = { sections: 8, controlsPerSection: 12 };
  const others = printLimit(sampleReport({ ...options, findings: 1_000 })).findings - 1_000;
  return sampleReport({ ...options, findings: total - others });
}

function seconds<Result>(run: () => Result): { readonly seconds: number; readonly result: Result } {
  const start = performance.now();
  const result = run();
  return { seconds: (performance.now() - start) / 1_000, result };
}

function length(chunks: Iterable<string>): number {
  let bytes = 0;
  for (const chunk of chunks) bytes += Buffer.byteLength(chunk);
  return bytes;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
