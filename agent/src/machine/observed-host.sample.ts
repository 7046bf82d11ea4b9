import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { datasets as served } from '@vedette/server/telemetry/datasets';
import { RecordCheck } from '@vedette/server/telemetry/record-check';
import type { Host } from '../host/host.ts';
import { HostFiles } from '../host/host-files.ts';
import { Programs } from '../host/programs.ts';
import { HourMemory } from '../journal/hour-memory.ts';
import { entriesOf } from '../report.ts';
import type { Observation, Source } from '../source.ts';

/** A host whose files are below a directory, with a clock that is set. */
export class ObservedHost implements Host {
  readonly mid = 7;
  readonly isRoot = true;
  readonly signal: Host['signal'] = new AbortController().signal;
  readonly files: HostFiles;
  readonly programs = new Programs(this.signal);
  readonly root: string;
  time = Date.parse('2026-01-01T10:00:00Z');

  /** Without a root, one is made. */
  constructor(root = mkdtempSync(join(tmpdir(), 'vedette-observed-'))) {
    this.root = root;
    this.files = new HostFiles(root);
  }

  now = () => this.time;

  /** Returns where it is. */
  write(path: string, content: string | Buffer, mode = 0o644): string {
    const place = join(this.root, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content, { mode });
    return place;
  }

  remove(): void {
    if (this.root.startsWith(tmpdir())) rmSync(this.root, { recursive: true });
  }
}

/** Observes, and checks all records as the server does. */
export async function observe(host: Host, source: Source, cursor?: unknown): Promise<Observation> {
  const observation = await source.observe(host, cursor);
  const context = { source: source.name, mid: host.mid, at: host.now(), memory: new HourMemory() };
  for (const { batches } of entriesOf(observation, context)) {
    for (const { path, body } of batches) {
      const dataset = served.find((one) => one.path === path);
      if (!dataset) throw new Error(`The server has no dataset ${path}.`);
      const check = new RecordCheck(dataset, host.now());
      for (const [index, line] of body.split('\n').entries()) check.record(line, index);
    }
  }
  return observation;
}
