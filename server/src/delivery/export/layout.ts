import { createHash } from 'node:crypto';

/** An hour of a dataset of an account, as one node received it. */
export interface ExportedHour {
  /** Account name. */
  readonly account: string;
  /** Path of the dataset. */
  readonly dataset: string;
  /** Start of the hour. */
  readonly hour: number;
  /** Identifies the data directory and its restore epoch. */
  readonly holder: string;
}

/** An object with records of the hour. */
export interface ExportedObject {
  /** Its full key in the bucket. */
  readonly key: string;
  readonly records: number;
  /** Size of the stored object. */
  readonly bytes: number;
  readonly sha256: string;
}

export const hourLength = 3_600_000;

export function hourOf(instant: number): number {
  return Math.floor(instant / hourLength) * hourLength;
}

/**
 * Identifies the records of a data directory since its last restore. Other nodes receive other records, and a restored
 * store may lack exported ones, so their objects must not overwrite each other.
 */
export function holderOf(node: string, epoch: string): string {
  return createHash('sha256').update(`${node} ${epoch}`).digest('hex').slice(0, 12);
}

/** Deterministic, so that a repeated export overwrites its own objects. */
export function dataKey(hour: ExportedHour, part: number): string {
  return `vedette/v1/data/${folderOf(hour)}/${hour.holder}-${String(part).padStart(5, '0')}.ndjson.gz`;
}

/** Outside the data folder, because readers load whole folders of records. */
export function manifestKey(hour: ExportedHour): string {
  return `vedette/v1/manifests/${folderOf(hour)}/${hour.holder}.json`;
}

/** Marks the hour as complete and lists its objects. It is deterministic, without the time of writing. */
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

/** Hive-style partitions, as query engines expect. */
function folderOf({ account, dataset, hour }: ExportedHour): string {
  const [date, time = ''] = new Date(hour).toISOString().split('T');
  const name = dataset.replaceAll('/', '.');
  return `account=${account}/dataset=${name}/date=${date}/hour=${time.slice(0, 2)}`;
}
