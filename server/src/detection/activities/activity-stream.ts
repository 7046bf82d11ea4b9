import type { TelemetryDataset } from '../../telemetry/dataset.ts';
import type { Row } from '../evaluation/row.ts';

/** What activities are made of, whatever cloud an event comes from; missing strings are empty. */
export interface CloudEvent {
  readonly api: string;
  readonly service: string;
  readonly region: string;
  /** The account, project, subscription or cluster that was called. */
  readonly account: string;
  readonly address: string;
  readonly userName: string;
  readonly userAccount: string;
  readonly principalId: string;
  readonly mfa: boolean;
  readonly resources: readonly { readonly name: string; readonly value: string }[];
  /** The index of its type in order of severity. */
  readonly rank: number;
}

/** Events that are aggregated into activities. */
export interface ActivityStream {
  readonly dataset: TelemetryDataset;
  /** What the query returns besides INSERT_ID and EVENT_TIME. */
  readonly columns: string;
  /** Value of `eventActor`. */
  readonly actor: string;
  /** Undefined for a row that is no event of its own. */
  event(row: Row): CloudEvent | undefined;
  typeAt(rank: number): string;
  /** Value of `eventModel`. */
  modelOf(eventType: string): string;
}
