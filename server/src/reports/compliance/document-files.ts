import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../platform/errors.ts';
import type { DocumentFormat } from './document-request.ts';

/** Documents that exist at a time: a client that does not read them holds space on the disk. */
const maxFiles = { ofAccount: 4, total: 64 };

/** A place for one document, which exists until it is released. */
export interface DocumentPlace {
  readonly file: string;
  release(): void;
}

/** The directory of documents that are being sent. */
export class DocumentFiles {
  readonly #directory: string;
  readonly #accounts = new Map<string, number>();

  /** Deletes what a previous process left. */
  constructor(directory: string) {
    this.#directory = directory;
    rmSync(directory, { recursive: true, force: true });
  }

  reserve(account: string, format: DocumentFormat): DocumentPlace {
    const ofAccount = this.#accounts.get(account) ?? 0;
    const total = [...this.#accounts.values()].reduce((sum, number) => sum + number, 0);
    if (ofAccount >= maxFiles.ofAccount || total >= maxFiles.total)
      throw new Refusal('UNAVAILABLE', 'Too many reports are being written or downloaded: try again later.');
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    this.#accounts.set(account, ofAccount + 1);
    const file = join(this.#directory, `${randomUUID()}.${format}`);
    let isReleased = false;
    return {
      file,
      release: () => {
        if (isReleased) return;
        isReleased = true;
        const left = (this.#accounts.get(account) ?? 1) - 1;
        if (left > 0) this.#accounts.set(account, left);
        else this.#accounts.delete(account);
        rmSync(file, { force: true });
      },
    };
  }
}
