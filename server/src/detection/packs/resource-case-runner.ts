import type { QueryLanguage } from '../../querying/language.ts';
import type { CompileWith } from '../../telemetry/compiled-query.ts';
import type { Resource } from '../../telemetry/resource.ts';
import { resourcePolicyOf } from '../evaluation/evaluated-policy.ts';
import type { ExpectedResources, ResourceCase } from './resource-cases.ts';

/** The queries of a policy over configuration. */
export interface ResourceQueryTexts {
  readonly query: string;
  readonly scope?: string | undefined;
}

/** Where the resources of cases are, each case in its own account to isolate them. */
export interface CaseResources {
  readonly language: Pick<QueryLanguage, 'read'>;
  /** The time of the evaluation. */
  readonly at: number;
  store(
    rows: readonly { readonly account: string; readonly kind: string; readonly resource: Resource }[],
  ): Promise<void>;
  rows(compileWith: CompileWith): Promise<readonly (readonly unknown[])[]>;
}

/** A case with its resources in the store. */
export class StoredResources {
  readonly of: ResourceCase;
  readonly #account: string;
  readonly #place: CaseResources;

  private constructor(place: CaseResources, account: string, of: ResourceCase) {
    this.#place = place;
    this.#account = account;
    this.of = of;
  }

  /** Stores the cases of a policy; `name` distinguishes policies. */
  static async take(
    place: CaseResources,
    name: string,
    cases: readonly ResourceCase[],
  ): Promise<StoredResources[]> {
    const stored = cases.map((one, index) => new StoredResources(place, `${name}-${index}`, one));
    await place.store(
      stored.flatMap((one) =>
        [...one.of.resources].flatMap(([kind, resources]) =>
          resources.map((resource) => ({ account: one.#account, kind, resource })),
        ),
      ),
    );
    return stored;
  }

  /** The difference from the expected evaluations; undefined if they match. */
  async complaint({ query, scope }: ResourceQueryTexts): Promise<string | undefined> {
    const { language, at } = this.#place;
    const policy = resourcePolicyOf({
      query: language.read(query).query,
      scope: scope === undefined ? undefined : language.read(scope).query,
    });
    if (!policy) throw new Error('RESOURCE_KEY must be returned, and be a value of the first datasource.');
    const run = { account: this.#account, at };
    const found = await this.#place.rows(policy.violations(run, undefined));
    const violations = new Map(
      found.map(([key, row]) => [String(key), JSON.parse(String(row)) as Record<string, unknown>]),
    );
    const resources = await this.#place.rows(policy.resources(run, undefined));
    const inScope = new Set(resources.map(([key]) => String(key)));
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
