import type { Cloud } from '@vedette/server/collect/inventory/cloud';
import type { Problem } from '@vedette/server/collect/inventory/problem';
import type { ScopeStatus, SnapshotId } from '@vedette/server/telemetry/snapshot';

/**
 * A file with the result of a collection: JSON, one object a line. After the first line follow resources and, after its
 * resources, the end of each snapshot; the last line tells a whole file from one that was cut off.
 */
export const resourceFormat = 'vedette-resources';
export const resourceVersion = 1;

/** The first line. */
export interface ResourceFileHead {
  readonly format: typeof resourceFormat;
  readonly version: number;
  readonly cloud: Cloud;
}

/** A resource in the form that collectors send, or one that could not be read, with its snapshot. */
export interface ResourceLine extends SnapshotId {
  readonly key: string;
}

/** The end of a snapshot: a line without a key. */
export interface SnapshotLine extends SnapshotId {
  readonly ended: number;
  readonly status: ScopeStatus;
  readonly reason: string;
  /** Lines of the scope that count; 0 if the snapshot was given up. */
  readonly lines: number;
}

/** The last line. */
export interface ResourceFileEnd {
  /** Why accounts could not be read. */
  readonly problems: readonly Problem[];
}

/** The same for equal ids. */
export function snapshotName({ kind, cloudAccount, region, started }: SnapshotId): string {
  return JSON.stringify([kind, cloudAccount, region, started]);
}
