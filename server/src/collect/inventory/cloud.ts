import type { BulkOutbound } from '../../outbound/bulk-outbound.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CallBudget } from './budget.ts';
import type { Problem } from './problem.ts';
import type { Reading } from './reading.ts';

/** The providers that can be collected, as commands and paths spell them. */
export const clouds = ['aws', 'gcp', 'azure', 'k8s'] as const;
export type Cloud = (typeof clouds)[number];

/** What every collector needs. */
export interface CollectDeps {
  readonly outbound: BulkOutbound;
  readonly budget: CallBudget;
  readonly clock: Clock;
}

/** An account, project, subscription or cluster that is collected as a whole. Only one collection of it runs at a time. */
export interface CloudTarget {
  readonly cloud: Cloud;
  /** The scope's `cloudAccount`: an AWS account id, `organizations/1234`, a subscription, a tenant, a cluster. */
  readonly cloudAccount: string;
  /** For people: `AWS account 123456789012 (production)`. */
  readonly title: string;
  /** Asks what must be known first, such as the enabled regions. */
  readings(signal: AbortSignal): Promise<readonly Reading[]>;
}

/** The targets that credentials lead to, and why others are missing. */
export interface Discovery {
  readonly targets: readonly CloudTarget[];
  readonly problems: readonly Problem[];
}

/** What is known of a kind from its declaration: for permissions, documentation and coverage. */
export interface KindDescription {
  /** The datasource. */
  readonly kind: string;
  readonly service: string;
  /** The call or API path that fills it. */
  readonly call: string;
  readonly resourceType: string;
  readonly isGlobal: boolean;
  /** In the provider's notation; all calls that lead to the kind need them together. */
  readonly permissions: readonly string[];
  /** Paths of the secrets of which only the names are stored. */
  readonly redactions: readonly string[];
}
