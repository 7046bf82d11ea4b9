import { serve } from '../../platform/pool-worker.ts';
import type { PrintLimit } from './outline/print-limit.ts';
import { writePdf } from './pdf/pdf-document.ts';
import type { ComplianceReport } from './report.ts';

export interface PdfRequest {
  readonly report: ComplianceReport;
  readonly limit: PrintLimit;
  readonly file: string;
}

serve(async ({ report, limit, file }: PdfRequest) => ({ result: await writePdf(report, limit, file) }));
