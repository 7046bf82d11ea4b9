import { Worker } from 'node:worker_threads';
import { type ErrorCode, Refusal } from '../../platform/errors.ts';
import type { PageFacts, PageRequest } from './page-scan.ts';
import type { ScanRequest } from './scan.ts';

/** A whole answer, or a page of one. */
type Order = { readonly request: ScanRequest } | { readonly page: PageRequest };

export type ScanOrder = Order & { readonly id: number };

export type ScanAnswer =
  | { readonly id: number; readonly json: ArrayBuffer; readonly page?: PageFacts | undefined }
  | { readonly id: number; readonly refusal: { readonly code: ErrorCode; readonly message: string } }
  | { readonly id: number; readonly failure: string };

interface Scanned {
  readonly json: Buffer;
  readonly page: PageFacts | undefined;
}

interface Waiting {
  resolve(scanned: Scanned): void;
  reject(error: Error): void;
}

const mostWaiting = 64;

/** Runs scans in a worker thread, so that the event loop never waits for one. The thread starts with the first scan. */
export class Scanner {
  readonly #url: string;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #count = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** The answer with the matching records: `{"data":[…]}`. */
  async scan(request: ScanRequest): Promise<Buffer> {
    return (await this.#order({ request })).json;
  }

  /** One page of an answer: its records with commas between, and what is known of it. */
  async page(page: PageRequest): Promise<PageFacts & { readonly text: Buffer }> {
    const scanned = await this.#order({ page });
    return { ...(scanned.page as PageFacts), text: scanned.json };
  }

  #order(order: Order): Promise<Scanned> {
    if (this.#waiting.size >= mostWaiting) {
      return Promise.reject(
        new Refusal('UNAVAILABLE', 'Too many searches are waiting: try again in a moment.'),
      );
    }
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#running().postMessage({ id, ...order } satisfies ScanOrder);
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./scan.worker.js', import.meta.url), {
      workerData: { url: this.#url },
    });
    worker.unref();
    worker.on('message', (answer: ScanAnswer) => this.#answer(answer));
    worker.on('error', (error) => this.#failAll(error));
    worker.on('exit', () =>
      this.#failAll(new Refusal('UNAVAILABLE', 'The search was interrupted: try again.')),
    );
    this.#worker = worker;
    return worker;
  }

  #answer(answer: ScanAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('json' in answer) waiting?.resolve({ json: Buffer.from(answer.json), page: answer.page });
    else if ('refusal' in answer) waiting?.reject(new Refusal(answer.refusal.code, answer.refusal.message));
    else waiting?.reject(new Error(answer.failure));
  }

  #failAll(error: Error): void {
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
