import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { serve } from '../../platform/pool-worker.ts';
import type { PostureFindings } from '../../telemetry/posture-findings.ts';
import { assembleReport } from './assembly.ts';
import { csvReport } from './csv.ts';
import type { DocumentFormat, DocumentRequest, ReportSource, WrittenDocument } from './document-request.ts';
import { htmlReport } from './html.ts';
import { jsonReport } from './json.ts';
import { printLimit } from './outline/print-limit.ts';
import { writePdf } from './pdf/pdf-document.ts';
import type { ComplianceReport } from './report.ts';

type Kind = 'benchmark' | 'standard';

const texts = {
  json: (report: ComplianceReport, kind: Kind) => [
    JSON.stringify({ data: [jsonReport(report, { kind })], ok: true, message: 'SUCCESS' }),
  ],
  csv: csvReport,
  html: htmlReport,
};

serve(async ({ source, format, file }: DocumentRequest) => ({ result: await write(source, format, file) }));

async function write(
  source: ReportSource,
  format: DocumentFormat,
  file: string,
): Promise<WrittenDocument | undefined> {
  const report = reportOf(source);
  if (!report) return undefined;
  const { title, subject, evaluatedAt, counts } = report;
  const summary = { title, subject, evaluatedAt, counts };
  // Fails if the report was abandoned and its file removed.
  const output = createWriteStream(file, { flags: 'r+' });
  await once(output, 'open');
  if (format === 'pdf') return { summary, ...(await writePdf(report, printLimit(report), output)) };
  const kind = 'plan' in source ? source.plan.kind : 'benchmark';
  await pipeline(Readable.from(texts[format](report, kind)), output);
  return { summary, bytes: output.bytesWritten };
}

function reportOf(source: ReportSource): ComplianceReport | undefined {
  if ('report' in source) return source.report;
  return assembleReport(source.plan, JSON.parse(source.findings) as PostureFindings);
}
