import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Host } from '../host/host.ts';
import { HostFiles } from '../host/host-files.ts';
import { Programs } from '../host/programs.ts';

/** A host whose files are in a temporary directory. */
export class TemporaryHost implements Host {
  readonly root = mkdtempSync(join(tmpdir(), 'vedette-'));
  readonly mid = 7;
  readonly isRoot = true;
  readonly files = new HostFiles(this.root);
  readonly #stop = new AbortController();
  readonly signal: AbortSignal = this.#stop.signal;
  readonly programs = new Programs(this.signal);
  time = Date.parse('2026-01-01T10:20:30.400Z');

  now(): number {
    return this.time;
  }

  /** The place of a file of the host, whose directory is created. */
  place(path: string): string {
    const place = join(this.root, path);
    mkdirSync(dirname(place), { recursive: true });
    return place;
  }

  write(path: string, content: string | Buffer): string {
    const place = this.place(path);
    writeFileSync(place, content);
    return place;
  }

  remove(): void {
    this.#stop.abort();
    rmSync(this.root, { recursive: true });
  }
}
