import type { Observed } from '../source.ts';

/** The container of a process, as its runtime describes it. */
export interface ProcessContainer {
  readonly podName?: string;
  /** `containerInfo` of Entities/Applications. */
  readonly info: Observed;
}

/** By the id of 64 hexadecimal digits; undefined if no runtime knows it. */
export type FindContainer = (containerId: string) => ProcessContainer | undefined;
