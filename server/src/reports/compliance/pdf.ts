import { rm } from 'node:fs/promises';
import { WorkerPool } from '../../platform/worker-pool.ts';
import { printLimit, trimmed } from './outline/print-limit.ts';
import type { WrittenPdf } from './pdf/pdf-document.ts';
import type { PdfRequest } from './pdf.worker.ts';
import type { ComplianceReport } from './report.ts';

export interface PdfReportsOptions {
  /** Timeout of waiting for a thread, and then of drawing. */
  readonly seconds?: number;
}

/** Writes reports as PDF in a worker thread. A document is a file: it may be larger than what memory should hold. */
export class PdfReports {
  readonly #pool: WorkerPool<PdfRequest, WrittenPdf>;

  constructor({ seconds = 120 }: PdfReportsOptions = {}) {
    this.#pool = new WorkerPool({
      module: new URL('./pdf.worker.js', import.meta.url),
      noun: 'report',
      threads: 1,
      seconds,
    });
  }

  get fault(): string | undefined {
    return this.#pool.fault;
  }

  /** Writes to a file that does not exist yet, and leaves none behind if it fails or is abandoned. */
  async write(
    account: string,
    report: ComplianceReport,
    file: string,
    abandoned?: AbortSignal,
  ): Promise<WrittenPdf> {
    const limit = printLimit(report);
    try {
      return await this.#pool.run(account, { report: trimmed(report, limit), limit, file }, abandoned);
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
