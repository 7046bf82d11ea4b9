import { type Severity, severityNames } from '../rules/severities.ts';

export type { Severity };

/** What happened to an alert: `updated` when entities joined it; `test` is sent without an alert, to test a channel. */
export type Occasion = 'opened' | 'updated' | 'closed' | 'test';

/** Things of one kind that an alert is about. */
export interface NamedEntities {
  /** As `entityMap` calls it. */
  readonly kind: string;
  /** Some of them, by the names that people know. */
  readonly names: readonly string[];
  /** How many there are. */
  readonly total: number;
}

/** What a message says about an alert, whatever the channel. It is bounded, and kept as it was when it happened. */
export interface AlertMessage {
  /** The same in every attempt, so that a receiver knows a repeat. */
  readonly deliveryId: string;
  readonly occasion: Occasion;
  /** Name of the account. */
  readonly account: string;
  readonly alertId: number;
  readonly alertName: string;
  readonly alertType: string;
  readonly severity: Severity;
  readonly status: 'Open' | 'Closed';
  readonly subject: string;
  readonly description: string;
  /** What to do about it; messages of earlier versions have none. */
  readonly remediation?: string;
  readonly category: string;
  readonly subCategory: string;
  readonly source: string;
  readonly policyId: string;
  /** RFC 3339. */
  readonly startTime: string;
  readonly endTime: string;
  /** Of the events themselves, where they have times. */
  readonly firstEventTime?: string;
  readonly lastEventTime?: string;
  readonly violations: number;
  /** In the order in which they came. */
  readonly entities: readonly NamedEntities[];
  /** Those of them that joined since the message before; only `updated` has them. */
  readonly newEntities?: readonly NamedEntities[];
  /** Where people read more; the address of the service without one is its own. */
  readonly link: string;
}

/** 1 is the most severe, as in alert rules. */
export const severityNumbers = Object.fromEntries(
  Object.entries(severityNames).map(([number, name]) => [name, Number(number)]),
) as Readonly<Record<Severity, number>>;
