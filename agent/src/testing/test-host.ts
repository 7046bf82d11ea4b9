import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Host } from '../host/host.ts';
import { HostFiles } from '../host/host-files.ts';
import { Programs } from '../host/programs.ts';

/** A host with a clock that is set. Its files are in a temporary directory, or those of this host if it is `/`. */
export class TestHost implements Host {
  readonly root: string;
  readonly mid = 7;
  readonly files: HostFiles;
  readonly #stop = new AbortController();
  readonly signal: AbortSignal = this.#stop.signal;
  readonly programs = new Programs(this.signal);
  isRoot = true;
  time = Date.parse('2026-01-01T10:00:00Z');

  constructor(root: '/' | undefined = undefined) {
    this.root = root ?? mkdtempSync(join(tmpdir(), 'vedette-host-'));
    this.files = new HostFiles(this.root);
  }

  readonly now = (): number => this.time;

  /** The place of a file of the host, whose directory is created. */
  place(path: string): string {
    const place = join(this.root, path);
    mkdirSync(dirname(place), { recursive: true });
    return place;
  }

  /** Returns the place of the file. */
  write(path: string, content: string | Buffer, mode = 0o644): string {
    const place = this.place(path);
    writeFileSync(place, content, { mode });
    return place;
  }

  /** As when the agent stops. */
  stop(): void {
    this.#stop.abort();
  }

  remove(): void {
    this.stop();
    if (this.root !== '/') rmSync(this.root, { recursive: true });
  }
}
