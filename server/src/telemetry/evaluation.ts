import type { Column } from '@vedette/lql/catalogue/catalogue';
import type { CompileWith } from './compiled-query.ts';
import type { Provider } from './served-datasource.ts';

/** On the wire, in this spelling. */
export const evaluationStatuses = ['Compliant', 'NonCompliant', 'Suppressed', 'CouldNotAssess'] as const;
export type EvaluationStatus = (typeof evaluationStatuses)[number];

/** Columns of a resource that queries can not name: where it is stored. */
export const identityColumns = {
  key: '#KEY',
  urn: '#URN',
  cloudAccount: '#CLOUD_ACCOUNT',
  region: '#REGION',
} as const;

/** The facts by which an evaluation shows and finds the cloud account of its resource. */
export const placeFacts = [
  ...['RESOURCE_REGION', 'ACCOUNT_ID', 'ACCOUNT_ALIAS', 'TENANT_ID', 'TENANT_NAME', 'SUBSCRIPTION_ID'],
  ...['SUBSCRIPTION_NAME', 'ORGANIZATION_ID', 'ORGANIZATION_NAME', 'PROJECT_ID', 'PROJECT_NAME'],
  ...['CLUSTER_ID', 'CLUSTER_TYPE'],
] as const;

/** Columns that have the URN of a resource, by which its parts in different datasources belong together. */
export const urnColumns: ReadonlySet<string> = new Set(['URN', 'ARN', 'RESOURCE_KEY']);

/** The column of a query that identifies the resource of a row. */
export const resourceKey = 'RESOURCE_KEY';

/** What an evaluation needs of each resource, besides its key. */
export const resourceColumns: readonly Column[] = [...Object.values(identityColumns), ...placeFacts].map(
  (name) => ({ name, type: 'String' }),
);

/** A policy to be evaluated. */
export interface EvaluatedPolicy {
  readonly id: string;
  readonly title: string;
  readonly severity: string;
  /** The service that it is about. */
  readonly section: string;
  readonly provider: Provider;
  /** Digest of what decides the result besides the resources. */
  readonly basis: string;
  /** The kind of its resources, and all kinds that it reads. */
  readonly kind: string;
  readonly kinds: readonly string[];
  /** Whether it reads a datasource of all kinds, so that every change concerns it. */
  readonly readsAllKinds: boolean;
  /** Whether it reads other than resources, such as reports of hosts: their changes are seen at scheduled times only. */
  readonly readsOther: boolean;
  /** Kinds in which a change concerns only the resource with the same URN. */
  readonly kindsByUrn: readonly string[];
  /** Whether the result changes as time passes. */
  readonly readsClock: boolean;
  /** Policies with the same scope are evaluated over the same resources. */
  readonly scope: string;
  /** Without resources of these kinds there are none in scope; undefined if they may be of every kind. */
  readonly scopeKinds: readonly string[] | undefined;
  /** The resources in scope: the key and `resourceColumns`. */
  resources(changed: ChangedSince | undefined): CompileWith;
  /** The key and `row` of the violations. */
  violations(changed: ChangedSince | undefined): CompileWith;
  /** The exceptions that apply, by the position of the row; undefined if the policy has none. */
  readonly exceptionsOf?: ((rows: readonly string[]) => readonly (string | undefined)[]) | undefined;
}

/** A policy that is due. */
export interface DuePolicy extends EvaluatedPolicy {
  /** Whether it is due because of the time, not because of a change. */
  readonly isScheduled: boolean;
  /** The revision up to which changes of violations were taken over by alerts; 0 if none were. */
  readonly reported: number;
}

/** A policy that was deleted. */
export interface DeletedPolicy {
  readonly ownerId: string;
  readonly policyId: string;
  readonly at: number;
}

/** A violation that began or ended after a revision. */
export interface ViolationChange {
  /** Its position, for paging. */
  readonly id: number;
  readonly key: string;
  /** Undefined if it ended. */
  readonly row: string | undefined;
  /** The exception that suppresses it. */
  readonly exceptionId: string | undefined;
  /** Whether it was there when its cloud account was evaluated for the first time. */
  readonly isInitial: boolean;
}

/** Which changes of the violations of a policy to read. */
export interface ViolationChangesSince {
  readonly policyId: string;
  /** All violations, and none that ended, if 0. */
  readonly revision: number;
  /** The last position that was read. */
  readonly after: number;
  readonly limit: number;
}

/** A page of such violations. */
export interface ViolationChanges {
  readonly changes: readonly ViolationChange[];
  readonly isLast: boolean;
}

/** Only resources that changed after a position are evaluated again. */
export interface ChangedSince {
  readonly after: number;
  readonly datasources: readonly string[];
}

/** How much of a policy was evaluated: everything, changed resources only, or nothing, because nothing changed. */
export type EvaluationExtent = 'all' | 'changed' | 'none';

/** The result of an evaluation of one policy. */
export interface PolicyEvaluation {
  readonly policyId: string;
  readonly extent: EvaluationExtent;
  /** The position of the inventory that it covers. */
  readonly position: number;
  /** Of the evaluation; violations that changed are read by it. */
  readonly revision: number;
  /** Whether violations changed after the revision that was reported. */
  readonly hasChanges: boolean;
  /** Resources by status, after the evaluation. */
  readonly counts: Readonly<Record<EvaluationStatus, number>>;
}
