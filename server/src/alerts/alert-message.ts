import { type Severity, severityNames } from '../rules/severities.ts';

export type { Severity };

/**
 * Event in the life cycle of an alert: `updated` when entities joined it; `test` messages have no alert and only test a
 * channel.
 */
export type Occasion = 'opened' | 'updated' | 'closed' | 'test';

/** Entities of one kind that an alert is about. */
export interface NamedEntities {
  /** The key in `entityMap`. */
  readonly kind: string;
  /** The first of them, by display name. */
  readonly names: readonly string[];
  readonly total: number;
}

/**
 * The content of a message about an alert, independent of the channel. Its size is bounded; it is a snapshot of the
 * alert at the time of the event.
 */
export interface AlertMessage {
  /** The same in every attempt, so that receivers can deduplicate. */
  readonly deliveryId: string;
  readonly occasion: Occasion;
  /** Account name. */
  readonly account: string;
  readonly alertId: number;
  readonly alertName: string;
  readonly alertType: string;
  readonly severity: Severity;
  readonly status: 'Open' | 'Closed';
  readonly subject: string;
  readonly description: string;
  /** Absent in messages of earlier versions. */
  readonly remediation?: string;
  readonly category: string;
  readonly subCategory: string;
  readonly source: string;
  readonly policyId: string;
  /** RFC 3339. */
  readonly startTime: string;
  readonly endTime: string;
  /** Times of the events themselves, where they have any. */
  readonly firstEventTime?: string;
  readonly lastEventTime?: string;
  readonly violations: number;
  /** In order of arrival. */
  readonly entities: readonly NamedEntities[];
  /** Entities that joined since the previous message; only in `updated` messages. */
  readonly newEntities?: readonly NamedEntities[];
  /** Link to the alert, or to the service if there is no alert. */
  readonly link: string;
}

/** 1 is the most severe, as in alert rules. */
export const severityNumbers = Object.fromEntries(
  Object.entries(severityNames).map(([number, name]) => [name, Number(number)]),
) as Readonly<Record<Severity, number>>;
