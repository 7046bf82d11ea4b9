import type { Severity } from './alert-message.ts';

/** A thing that an alert is about, as `entityMap` shows it. */
export interface Entity {
  /** Such as Machine, CT_User, AwsResource. */
  readonly kind: string;
  readonly key: Readonly<Record<string, unknown>>;
  readonly props: Readonly<Record<string, unknown>>;
}

/** One row of a policy's query that violates it. */
export interface Violation {
  readonly key: string;
  /** What people call the resource or event. */
  readonly name: string;
  readonly entities: readonly Entity[];
  /** The row, as the query returned it. */
  readonly row: Readonly<Record<string, unknown>>;
  /** Tags of the machine that it names, by which groups choose it, where somebody looked them up. */
  readonly machineTags?: Readonly<Record<string, unknown>> | undefined;
}

/** What is new about a policy since it was judged last: it makes an alert, or joins that of the same hour. */
export interface Finding {
  readonly ownerId: string;
  readonly policyId: string;
  /** Most violations that the alert lists. */
  readonly limit: number;
  readonly severity: Severity;
  readonly alertName: string;
  readonly alertType: string;
  readonly subject: string;
  readonly description: string;
  readonly alertSpec: { readonly alertProfile: string; readonly name: string } | undefined;
  readonly category: string;
  readonly subCategory: string;
  readonly source: string;
  /** Begin of the hour in which they were found. */
  readonly windowStart: number;
  /** The first of them, as many as the alert lists at the most. */
  readonly listed: readonly Violation[];
  /** How many there are. */
  readonly total: number;
}
