import type { Cloud } from '@vedette/server/collect/inventory/cloud';
import type { Problem } from '@vedette/server/collect/inventory/problem';
import type { SnapshotSink } from '@vedette/server/collect/inventory/sink';
import { formOf } from '@vedette/server/telemetry/resource-form';
import type {
  SnapshotEffect,
  SnapshotEnd,
  SnapshotId,
  SnapshotPart,
} from '@vedette/server/telemetry/snapshot';
import {
  type ResourceFileEnd,
  type ResourceFileHead,
  resourceFormat,
  resourceVersion,
  type SnapshotLine,
  snapshotName,
} from './resource-file.ts';

/** Where lines are written, such as an `OutputFile`. */
export interface LineOutput {
  write(lines: string): Promise<void>;
}

/** Writes snapshots to a file instead of sending them. */
export class FileSink implements SnapshotSink {
  readonly #output: LineOutput;
  /** Lines of snapshots that have not ended. */
  readonly #lines = new Map<string, number>();

  private constructor(output: LineOutput) {
    this.#output = output;
  }

  static async open(output: LineOutput, cloud: Cloud): Promise<FileSink> {
    const sink = new FileSink(output);
    const head: ResourceFileHead = { format: resourceFormat, version: resourceVersion, cloud };
    await sink.#write([head]);
    return sink;
  }

  async part(id: SnapshotId, { resources, unread }: SnapshotPart): Promise<void> {
    const { kind, cloudAccount, region, started } = id;
    const forms = [...resources.map(formOf), ...unread];
    const name = snapshotName(id);
    this.#lines.set(name, (this.#lines.get(name) ?? 0) + forms.length);
    await this.#write(forms.map((form) => ({ kind, cloudAccount, region, started, ...form })));
  }

  async finish(
    id: SnapshotId,
    { ended, status, reason, parts, digest, part }: SnapshotEnd,
  ): Promise<SnapshotEffect> {
    // Nothing is stored that could be unchanged.
    if (digest !== undefined) return { opened: 0, closed: 0, differs: 'new' };
    if (part) await this.part(id, part);
    const { kind, cloudAccount, region, started } = id;
    const name = snapshotName(id);
    const lines = parts === 0 ? 0 : (this.#lines.get(name) ?? 0);
    this.#lines.delete(name);
    const line: SnapshotLine = { kind, cloudAccount, region, started, ended, status, reason, lines };
    await this.#write([line]);
    return { opened: lines, closed: 0 };
  }

  /** Declares the file complete. */
  async end(problems: readonly Problem[]): Promise<void> {
    const line: ResourceFileEnd = { problems: problems.map(({ status, reason }) => ({ status, reason })) };
    await this.#write([line]);
  }

  #write(lines: readonly object[]): Promise<void> {
    return this.#output.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
}
