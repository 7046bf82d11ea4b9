import type { IntegrationOutcome } from '../../integrations/state.ts';
import type { ScopeStatus } from '../../telemetry/snapshot.ts';
import type { Problem } from '../inventory/problem.ts';
import type { ScopeResult } from '../inventory/snapshot-writer.ts';

/** Gaps that are listed; all are counted. */
const maxGaps = 20;

type Gap = Pick<ScopeResult, 'kind' | 'region' | 'status' | 'reason'>;

/** What an interrupted collection has added up. */
export interface SavedSummary {
  readonly scopes: Readonly<Record<ScopeStatus, number>>;
  readonly gaps: readonly Gap[];
  readonly permissions: readonly string[];
  readonly resources: number;
}

/** Adds up what a collection read, for the state of its integration. */
export class CollectionSummary {
  readonly #scopes: Record<ScopeStatus, number>;
  readonly #gaps: Gap[];
  readonly #permissions: Set<string>;
  readonly #problems: Problem[] = [];
  #resources: number;

  constructor(saved?: SavedSummary) {
    const none = { collected: 0, empty: 0, denied: 0, failed: 0, 'not enabled': 0 };
    this.#scopes = { ...none, ...saved?.scopes };
    this.#gaps = [...(saved?.gaps ?? [])];
    this.#permissions = new Set(saved?.permissions);
    this.#resources = saved?.resources ?? 0;
  }

  get saved(): SavedSummary {
    return {
      ...{ scopes: { ...this.#scopes }, gaps: [...this.#gaps], resources: this.#resources },
      permissions: [...this.#permissions],
    };
  }

  add(results: readonly ScopeResult[]): void {
    for (const { kind, region, status, reason, resources, permission } of results) {
      this.#scopes[status]++;
      this.#resources += resources;
      if (permission !== undefined) this.#permissions.add(permission);
      if (status !== 'denied' && status !== 'failed') continue;
      if (this.#gaps.length < maxGaps) this.#gaps.push({ kind, region, status, reason });
    }
  }

  addProblem(problem: Problem): void {
    if (this.#problems.length < maxGaps) this.#problems.push(problem);
  }

  /** Whether no problem ended the collection as a whole. */
  get isUndisturbed(): boolean {
    return this.#problems.length === 0;
  }

  /** Fine if something was read and nothing failed; what was denied is named, because only the owner can change it. */
  outcome(): IntegrationOutcome {
    const { collected, empty, denied, failed } = this.#scopes;
    const isRead = collected + empty > 0;
    return {
      ok: isRead && failed === 0 && this.#problems.length === 0,
      details: {
        message: this.#message(),
        resources: this.#resources,
        ...{ collected, empty, denied, failed, notEnabled: this.#scopes['not enabled'] },
        ...(this.#gaps.length > 0 && { gaps: this.#gaps }),
        ...(this.#permissions.size > 0 && {
          missingPermissions: [...this.#permissions].sort().slice(0, 100),
        }),
      },
    };
  }

  #message(): string {
    const [problem] = this.#problems;
    if (problem) return problem.reason;
    const { collected, empty, denied, failed } = this.#scopes;
    const read = `${this.#resources} resources were read in ${collected + empty} kinds and regions`;
    return denied + failed === 0 ? `${read}.` : `${read}; ${denied} were denied and ${failed} failed.`;
  }
}
