import type { SnapshotEffect, SnapshotEnd, SnapshotId, SnapshotPart } from '../../telemetry/snapshot.ts';

/** Where a collection sends its snapshots: the store, or the HTTP interface of a server. */
export interface SnapshotSink {
  /** Durable when it resolves. A part that is sent again is stored once. */
  part(id: SnapshotId, part: SnapshotPart): Promise<void>;
  /** Makes the snapshot visible as a whole, or records why there is none. With a digest it may have to be sent first. */
  finish(id: SnapshotId, end: SnapshotEnd): Promise<SnapshotEffect>;
}
