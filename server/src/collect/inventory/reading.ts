import type { Resource } from '../../telemetry/resource.ts';
import type { Problem } from './problem.ts';

/** A unit of a collection: it reads all resources of some kinds in one region, or all of them that have no region. */
export interface Reading {
  /** Unique in its collection and stable over restarts: `ec2/DescribeInstances eu-west-1`. */
  readonly id: string;
  /** Shown in progress bars and summaries: `EC2`. */
  readonly service: string;
  /** The region of the snapshots' scope; for kinds without regions the provider's word for that: `aws-global`. */
  readonly region: string;
  /** The datasources that it fills. Each gets a snapshot, or a problem. */
  readonly kinds: readonly string[];
  /** Milliseconds without progress after which it is given up, where the documented rate makes it slow; the collection's by default. */
  readonly timeout?: number;
  /** Rejects if nothing more can be read; kinds that were not declared complete then have the error as their problem. */
  read(output: ReadingOutput, signal: AbortSignal): Promise<void>;
}

/** Receives what a reading finds. Promises resolve when more is wanted. */
export interface ReadingOutput {
  add(kind: string, resource: Resource): Promise<void>;
  /** A resource that exists and could not be read: what is stored of it stays. */
  unread(kind: string, key: string, problem: Problem): Promise<void>;
  /** A problem of the whole kind: what is stored of it stays, and nothing of this reading is added. */
  gap(kind: string, problem: Problem): void;
}
