import { createHash } from 'node:crypto';

/** An hour of a dataset of an account, as one node received it. */
export interface ExportedHour {
  /** Name of the account. */
  readonly account: string;
  /** Path of the dataset. */
  readonly dataset: string;
  /** When the hour begins. */
  readonly hour: number;
  /** Tells what these records lie in from all else that ever held records of the hour. */
  readonly holder: string;
}

/** An object that holds records of the hour. */
export interface ExportedObject {
  /** Its whole key in the bucket. */
  readonly key: string;
  readonly records: number;
  /** Of the object as it is stored. */
  readonly bytes: number;
  readonly sha256: string;
}

export const hourLength = 3_600_000;

export function hourOf(instant: number): number {
  return Math.floor(instant / hourLength) * hourLength;
}

/**
 * The records of a data directory as they are since the last restore. Another node has received others, and what a restore
 * put in place may lack some that were exported, so neither may take the place of what is there.
 */
export function holderOf(node: string, epoch: string): string {
  return createHash('sha256').update(`${node} ${epoch}`).digest('hex').slice(0, 12);
}

/** The same for the same records, so that a repeat takes the place of what it repeats. */
export function dataKey(hour: ExportedHour, part: number): string {
  return `vedette/v1/data/${folderOf(hour)}/${hour.holder}-${String(part).padStart(5, '0')}.ndjson.gz`;
}

/** Beside the data, not among it: programs read whole folders of records. */
export function manifestKey(hour: ExportedHour): string {
  return `vedette/v1/manifests/${folderOf(hour)}/${hour.holder}.json`;
}

/** Says that the hour is complete, and what belongs to it. It depends on nothing else, not even on when it was written. */
export function manifestOf(hour: ExportedHour, objects: readonly ExportedObject[]): string {
  const { account, dataset, holder } = hour;
  const manifest = {
    ...{ profileVersion: 'V1', account, dataset, holder },
    receivedFrom: new Date(hour.hour).toISOString(),
    receivedBefore: new Date(hour.hour + hourLength).toISOString(),
    records: objects.reduce((sum, { records }) => sum + records, 0),
    objects,
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** Folders as query engines read partitions. */
function folderOf({ account, dataset, hour }: ExportedHour): string {
  const [date, time = ''] = new Date(hour).toISOString().split('T');
  const name = dataset.replaceAll('/', '.');
  return `account=${account}/dataset=${name}/date=${date}/hour=${time.slice(0, 2)}`;
}
