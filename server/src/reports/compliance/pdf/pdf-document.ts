import type { WriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { outlineOf } from '../outline/outline.ts';
import type { PrintLimit } from '../outline/print-limit.ts';
import type { ComplianceReport } from '../report.ts';
import { shortened, subjectText, timeText } from '../wording.ts';
import { drawBlock } from './blocks.ts';
import { Paper } from './paper.ts';

export interface WrittenPdf {
  readonly pages: number;
  readonly bytes: number;
}

/** Writes the report to a file while it is drawn. */
export async function writePdf(
  report: ComplianceReport,
  limit: PrintLimit,
  output: WriteStream,
): Promise<WrittenPdf> {
  const paper = new Paper({
    title: shortened(report.title, 200),
    subject: shortened(subjectText(report.subject), 200),
    footer: `Evaluated ${timeText(report.evaluatedAt)}`,
    created: report.evaluatedAt,
  });
  const written = pipeline(paper.document, output);
  const draw = async () => {
    for (const block of outlineOf(report, limit)) await drawBlock(paper, block);
    paper.end();
  };
  // Whichever fails stops the other one: what goes on would take the time of the next report.
  const drawn = draw().catch((error: Error) => paper.document.destroy(error));
  await Promise.allSettled([written, drawn]);
  await written;
  return { pages: paper.pages, bytes: output.bytesWritten };
}
