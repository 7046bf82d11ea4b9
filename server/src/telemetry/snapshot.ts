import type { Resource } from './resource.ts';
import type { SnapshotScope } from './snapshot-scope.ts';

/**
 * What a collection found out about a scope. A kind of which some resources were not readable is denied or failed,
 * although the others were stored.
 */
export const scopeStatuses = ['collected', 'empty', 'denied', 'failed', 'not enabled'] as const;
export type ScopeStatus = (typeof scopeStatuses)[number];

/** A snapshot is identified by its scope and its start, in epoch milliseconds. */
export interface SnapshotId extends SnapshotScope {
  readonly started: number;
}

/** A resource that exists and could not be read: its stored version stays as it is. */
export interface UnreadResource {
  readonly key: string;
  readonly status: 'denied' | 'failed';
  readonly reason: string;
}

/** A resource that the collector expects to be stored as it is. */
export interface KnownResource {
  readonly key: string;
  readonly digest: string;
}

export interface SnapshotPart {
  /** From 1. */
  readonly number: number;
  readonly resources: readonly Resource[];
  readonly unread: readonly UnreadResource[];
  /** Resources by digest only; those that are not stored so must be sent in another part. */
  readonly known?: readonly KnownResource[];
}

export interface SnapshotEnd {
  readonly ended: number;
  readonly status: ScopeStatus;
  /** Empty if it was collected. */
  readonly reason: string;
  /** Number of the parts sent before. Without parts, a problem leaves the stored resources as they are. */
  readonly parts: number;
  /**
   * Instead of parts, of all resources that were collected: ends the snapshot if they are stored so, which spares sending
   * them.
   */
  readonly digest?: string;
  /** The only part, if it was not sent before: it is stored in the same transaction. */
  readonly part?: SnapshotPart;
}

/** The changes of a snapshot. */
export interface SnapshotEffect {
  /** New or changed resources. */
  readonly opened: number;
  /** Versions that ended because their resources changed or were removed. */
  readonly closed: number;
  /**
   * The stored resources are not those of the digest: nothing has ended, and they must be sent. Of a new scope nothing is
   * stored.
   */
  readonly differs?: 'new' | 'changed';
}

/** What one collection of a scope found: the history of the scope. */
export interface CollectionAttempt extends SnapshotId {
  readonly account: string;
  readonly ended: number;
  readonly status: ScopeStatus;
  readonly reason: string;
  /** Resources that were read. */
  readonly resources: number;
  /** Those that were not, with the reasons. */
  readonly unread: readonly UnreadResource[];
  /** Whether it replaced the stored resources; otherwise they stayed as they were. */
  readonly isComplete: boolean;
  /** Absent in backups of earlier releases. */
  readonly position?: number;
}
