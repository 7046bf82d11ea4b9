import type { Problem } from '@vedette/server/collect/inventory/problem';
import type { SnapshotSink } from '@vedette/server/collect/inventory/sink';
import type { ScopeResult } from '@vedette/server/collect/inventory/snapshot-writer';
import { Refusal } from '@vedette/server/platform/errors';
import { Validator } from '@vedette/server/platform/validator';
import { ResourceForm, resourceOf, unreadOf } from '@vedette/server/telemetry/resource-form';
import type { SnapshotId } from '@vedette/server/telemetry/snapshot';
import type { ImportFile } from '../importing/import-file.ts';
import { UsageError } from '../usage-error.ts';
import {
  type ResourceFileEnd,
  type ResourceFileHead,
  type ResourceLine,
  resourceFormat,
  type SnapshotLine,
  snapshotName,
} from './resource-file.ts';
import { checkEnd, checkHead, checkId, checkSnapshot } from './resource-file-form.ts';

const resourceForm = new Validator(ResourceForm, 'file');
/** Bounds of what is held before it is passed on. */
const [partLines, partCharacters] = [1_000, 1024 * 1024];
/** Ends of snapshots that are passed on at the same time: the store commits those that wait together. */
const finishedTogether = 64;

/** The first line of a file if a collection wrote it; undefined if it is another file. */
export async function resourceFileHead(file: ImportFile): Promise<ResourceFileHead | undefined> {
  for await (const line of file.lines()) {
    if (!line.includes(`"${resourceFormat}"`)) return undefined;
    const head = parsed(file, 1, line) as unknown as ResourceFileHead;
    if (head.format !== resourceFormat) return undefined;
    checked(file, 1, () => checkHead(head));
    return head;
  }
  return undefined;
}

/** Passes the snapshots of a file on. */
export class ResourceFileReader {
  readonly #file: ImportFile;
  readonly #sink: SnapshotSink;
  readonly #kinds: ReadonlySet<string> | undefined;
  readonly #open = new Map<
    string,
    { readonly id: SnapshotId; parts: number; lines: number; unread: number }
  >();
  #held: (ResourceLine & ResourceForm)[] = [];
  #characters = 0;
  #end: ResourceFileEnd | undefined;

  /** Only these kinds are passed on; all if undefined. */
  constructor(file: ImportFile, sink: SnapshotSink, kinds?: ReadonlySet<string>) {
    this.#file = file;
    this.#sink = sink;
    this.#kinds = kinds;
  }

  /** The results of the snapshots; what could not be read follows with `problems`. */
  async *results(): AsyncGenerator<ScopeResult> {
    let number = 0;
    let finishing: Promise<ScopeResult>[] = [];
    for await (const line of this.#file.lines()) {
      number++;
      if (number === 1 || line === '') continue;
      if (this.#end) throw this.#wrong(`Line ${number} follows the end.`);
      const value = parsed(this.#file, number, line);
      if ('problems' in value) {
        checked(this.#file, number, () => checkEnd(value));
        this.#end = value as unknown as ResourceFileEnd;
        continue;
      }
      checked(this.#file, number, () => checkId(value));
      if (this.#kinds && !this.#kinds.has((value as SnapshotId).kind)) continue;
      if ('key' in value) await this.#add(value, number, line.length);
      else {
        await this.#flush();
        const finish = this.#finish(value, number);
        // A failure is reported when the others are awaited.
        finish.catch(() => {});
        finishing.push(finish);
      }
      if (finishing.length < finishedTogether) continue;
      yield* await Promise.all(finishing);
      finishing = [];
    }
    yield* await Promise.all(finishing);
    const [open] = this.#open.values();
    if (!this.#end || open)
      throw this.#wrong('It was cut off: the collection that wrote it has not finished.');
  }

  /** Why accounts could not be read. */
  get problems(): readonly Problem[] {
    return this.#end?.problems ?? [];
  }

  async #add(value: object, number: number, length: number): Promise<void> {
    checked(this.#file, number, () => resourceForm.check(value));
    const line = value as ResourceLine & ResourceForm;
    const [first] = this.#held;
    if (first && snapshotName(first) !== snapshotName(line)) await this.#flush();
    this.#held.push(line);
    this.#characters += length;
    if (this.#held.length >= partLines || this.#characters >= partCharacters) await this.#flush();
  }

  async #flush(): Promise<void> {
    const [lines, [first]] = [this.#held, this.#held];
    [this.#held, this.#characters] = [[], 0];
    if (!first) return;
    const open = this.#openOf(first);
    const unread = lines.flatMap((line) => unreadOf(line) ?? []);
    const resources = lines.filter(({ status }) => !status).map((line) => resourceOf(line, {}));
    open.lines += lines.length;
    open.unread += unread.length;
    await this.#sink.part(open.id, { number: ++open.parts, resources, unread });
  }

  async #finish(value: object, number: number): Promise<ScopeResult> {
    checked(this.#file, number, () => checkSnapshot(value));
    const { ended, status, reason, lines, ...line } = value as SnapshotLine;
    const open = this.#openOf(line);
    this.#open.delete(snapshotName(line));
    if (lines > 0 && lines !== open.lines)
      throw this.#wrong(`Line ${number} ends ${lines} lines of ${line.kind}, but there are ${open.lines}.`);
    const parts = lines === 0 ? 0 : open.parts;
    const effect = await this.#sink.finish(open.id, { ended, status, reason, parts });
    const counts = { resources: lines === 0 ? 0 : lines - open.unread, unread: open.unread };
    return { ...open.id, status, reason, ...counts, effect };
  }

  #openOf({ kind, cloudAccount, region, started }: SnapshotId) {
    const id = { kind, cloudAccount, region, started };
    const open = this.#open.get(snapshotName(id)) ?? { id, parts: 0, lines: 0, unread: 0 };
    this.#open.set(snapshotName(id), open);
    return open;
  }

  #wrong(reason: string): UsageError {
    return new UsageError(`${this.#file.path}: ${reason}`);
  }
}

function parsed(file: ImportFile, number: number, line: string): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new UsageError(`${file.path}: Line ${number} is not a JSON object.`);
}

function checked(file: ImportFile, number: number, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof UsageError)) throw error;
    throw new UsageError(`${file.path}: Line ${number}: ${error.message}`);
  }
}
