import { rm, writeFile } from 'node:fs/promises';
import { WorkerPool } from '../../platform/worker-pool.ts';
import type { DocumentRequest, ReportSource, WrittenDocument } from './document-request.ts';

export interface ReportDocumentsOptions {
  /** Timeout of waiting for a thread, and then of writing. */
  readonly seconds?: number;
}

/**
 * Writes reports in a worker thread, from the stored evaluations to the last byte. A document is a file, because it may be
 * larger than what memory should hold.
 */
export class ReportDocuments {
  readonly #pool: WorkerPool<DocumentRequest, WrittenDocument | undefined>;

  constructor({ seconds = 120 }: ReportDocumentsOptions = {}) {
    this.#pool = new WorkerPool({
      module: new URL('./document.worker.js', import.meta.url),
      noun: 'report',
      threads: 1,
      seconds,
    });
  }

  get fault(): string | undefined {
    return this.#pool.fault;
  }

  get queue() {
    return { running: this.#pool.running, waiting: this.#pool.waiting };
  }

  /**
   * Writes to a file that does not exist yet, and leaves none behind if it fails or is abandoned. Undefined, and no file,
   * if nothing is known about the cloud account.
   */
  async write(
    account: string,
    source: ReportSource,
    { format, file }: Pick<DocumentRequest, 'format' | 'file'>,
    abandoned?: AbortSignal,
  ): Promise<WrittenDocument | undefined> {
    // The thread of an abandoned report continues for a while. It opens only existing files, so after the removal it fails.
    await writeFile(file, '', { flag: 'wx', mode: 0o600 });
    let written: WrittenDocument | undefined;
    try {
      written = await this.#pool.run(account, { source, format, file }, abandoned);
      return written;
    } finally {
      if (!written) await rm(file, { force: true });
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
