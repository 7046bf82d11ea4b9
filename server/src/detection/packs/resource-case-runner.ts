import { evaluatedResources } from '@vedette/lql/check/evaluated-resources';
import type { Resource } from '../../telemetry/resource.ts';
import type { SnapshotScope } from '../../telemetry/snapshot-scope.ts';
import { rowsOf } from '../evaluation/row.ts';
import { type CaseStore, violationsOf } from './case-runner.ts';
import type { ExpectedResources, ResourceCase } from './resource-cases.ts';

/** The queries of a policy over configuration. */
export interface ResourcePolicy {
  readonly query: string;
  readonly scope?: string | undefined;
}

/** A case with its resources in the store. */
export class StoredResources {
  readonly of: ResourceCase;
  readonly #account: string;
  readonly #place: CaseStore;

  private constructor(place: CaseStore, account: string, of: ResourceCase) {
    this.#place = place;
    this.#account = account;
    this.of = of;
  }

  static async take(place: CaseStore, account: string, of: ResourceCase): Promise<StoredResources> {
    for (const { id, resources } of snapshotsOf(of)) {
      const snapshot = { ...id, started: place.range.start };
      const isEmpty = resources.length === 0;
      await place.telemetry.finishSnapshot(account, snapshot, {
        ...{ ended: place.range.start + 1, status: isEmpty ? 'empty' : 'collected', reason: '' },
        ...(isEmpty ? { parts: 0 } : { parts: 1, part: { number: 1, resources, unread: [] } }),
      });
    }
    return new StoredResources(place, account, of);
  }

  /** The difference from the expected evaluations; undefined if they match. */
  async complaint({ query, scope }: ResourcePolicy): Promise<string | undefined> {
    const violations = await violationsOf(this.#place, this.#account, query);
    const inScope = await this.#inScope(query, scope);
    const { compliant, nonCompliant, reason } = this.of;
    const outside = [...violations.keys()].filter((key) => !inScope.has(key));
    if (outside.length > 0) return `reports ${outside.join(', ')}, which the scope does not have`;
    const passed = [...inScope].filter((key) => !violations.has(key));
    const difference =
      differs('finds not compliant', [...violations.keys()], nonCompliant) ??
      differs('finds compliant', passed, compliant);
    if (difference) return difference;
    const other = [...violations.values()].find((row) => reason && row.COMPLIANCE_FAILURE_REASON !== reason);
    return other && `gives the reason ${other.COMPLIANCE_FAILURE_REASON}, not ${reason}`;
  }

  async #inScope(query: string, scope: string | undefined): Promise<Set<string>> {
    const { language, runner, range } = this.#place;
    const read = language.read(scope ?? query);
    const resources = scope === undefined ? evaluatedResources(read.query, 'RESOURCE_KEY', []) : read.query;
    if (!resources) throw new Error('RESOURCE_KEY must be returned, and be a value of the first datasource.');
    const keys = new Set<string>();
    const run = { account: this.#account, range };
    for await (const rows of rowsOf(runner.run({ ...read, query: resources }, run)))
      for (const { RESOURCE_KEY } of rows) keys.add(String(RESOURCE_KEY));
    return keys;
  }
}

interface CaseSnapshot {
  readonly id: SnapshotScope;
  readonly resources: readonly Resource[];
}

/** Every kind was collected wherever the case has resources. */
function snapshotsOf({ resources }: ResourceCase): CaseSnapshot[] {
  const places = new Map(
    [...resources.values()].flat().map((one) => [JSON.stringify(placeOf(one)), placeOf(one)]),
  );
  return [...resources].flatMap(([kind, all]) =>
    [...places].map(([name, place]) => ({
      id: { kind, ...place },
      resources: all.filter((one) => JSON.stringify(placeOf(one)) === name),
    })),
  );
}

function placeOf({ facts }: Resource): Pick<SnapshotScope, 'cloudAccount' | 'region'> {
  const { ACCOUNT_ID, SUBSCRIPTION_ID, TENANT_ID, PROJECT_ID, CLUSTER_ID } = facts;
  const cloudAccount = ACCOUNT_ID ?? SUBSCRIPTION_ID ?? PROJECT_ID ?? CLUSTER_ID ?? TENANT_ID ?? '';
  return { cloudAccount, region: facts.RESOURCE_REGION ?? 'global' };
}

function differs(what: string, actual: readonly string[], expected: ExpectedResources): string | undefined {
  const found = actual.length > 0 ? actual.join(', ') : 'nothing';
  if (expected === 'none') return actual.length > 0 ? `${what} ${found}` : undefined;
  if (expected === 'all') return actual.length > 0 ? undefined : `${what} nothing`;
  const missing = expected.filter((name) => actual.filter((key) => isNamed(key, name)).length !== 1);
  if (missing.length > 0) return `${what} ${found}, without ${missing.join(', ')}`;
  return actual.length > expected.length ? `${what} ${found}` : undefined;
}

/** The last segment of a key is enough. */
function isNamed(key: string, name: string): boolean {
  return key === name || key.endsWith(`/${name}`) || key.endsWith(`:${name}`);
}
