import { type Dataset, type DatasetPath, datasets } from './datasets.ts';
import type { HourMemory, Unreported } from './journal/hour-memory.ts';
import type { NewEntry } from './journal/journal.ts';
import type { Observation, Observed } from './source.ts';
import { hourLength, startOfHour, timestamp } from './timestamp.ts';

/** The server takes larger bodies; smaller ones can be repeated at less cost. */
const maxBatch = { bytes: 1024 * 1024, records: 5_000 };
/** An entry is kept in memory while it is written and sent. */
const batchesPerEntry = 8;

export interface ReportContext {
  readonly source: string;
  readonly mid: number;
  /** When it was observed, in milliseconds since the epoch. */
  readonly at: number;
  readonly memory: Pick<HourMemory, 'unreported'>;
}

/** What an observation adds to the journal. The cursor comes with the last entry: until then, it is observed again. */
export function entriesOf({ records, cursor }: Observation, context: ReportContext): NewEntry[] {
  const { source, memory, at } = context;
  const hour = Math.floor(at / hourLength);
  const entries: NewEntry[] = [];
  for (const [path, observed] of Object.entries(records) as [DatasetPath, readonly Observed[]][]) {
    const batches = batchesOf(path, memory.unreported(hour, path, observed), context);
    for (let from = 0; from < batches.length; from += batchesPerEntry) {
      const some = batches.slice(from, from + batchesPerEntry);
      const digests = new Map([[path, Buffer.concat(some.flatMap((batch) => batch.digests))]]);
      const bodies = some.map(({ lines }) => ({ path, body: lines.join('\n') }));
      entries.push({ source, cursor: undefined, hour, batches: bodies, digests });
    }
  }
  if (cursor === undefined) return entries;
  const last = entries.pop() ?? { source, hour, batches: [], digests: new Map() };
  return [...entries, { ...last, cursor }];
}

interface Lines {
  readonly lines: string[];
  readonly digests: Buffer[];
  bytes: number;
}

function batchesOf(path: DatasetPath, unreported: readonly Unreported[], context: ReportContext): Lines[] {
  const batches: Lines[] = [];
  const stamp = stampOf(datasets[path], context);
  for (const { record, digest } of unreported) {
    const line = JSON.stringify({ ...stamp, ...record });
    let batch = batches.at(-1);
    if (!batch || batch.bytes + line.length > maxBatch.bytes || batch.lines.length === maxBatch.records) {
      batch = { lines: [], digests: [], bytes: 0 };
      batches.push(batch);
    }
    batch.lines.push(line);
    batch.digests.push(digest);
    batch.bytes += line.length;
  }
  return batches;
}

/** The members that are the same for all records of an observation; those of the record replace them. */
function stampOf({ repeated, isShared }: Dataset, { mid, at }: ReportContext): Observed {
  const host = isShared ? {} : { mid };
  switch (repeated) {
    case 'hour': {
      const start = startOfHour(at);
      return { ...host, startTime: timestamp(start), endTime: timestamp(start + hourLength) };
    }
    case 'state':
    case 'event':
      return { ...host, createdTime: timestamp(at) };
    case 'window':
      return host;
  }
}
