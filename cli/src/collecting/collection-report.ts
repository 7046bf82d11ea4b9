import type { BudgetUsage } from '@vedette/server/collect/inventory/budget';
import type { Problem } from '@vedette/server/collect/inventory/problem';
import type { ScopeResult } from '@vedette/server/collect/inventory/snapshot-writer';
import type { ScopeStatus } from '@vedette/server/telemetry/snapshot';
import { table } from '../table.ts';

const shownGaps = 20;

interface KindRow {
  readonly kind: string;
  resources: number;
  regions: number;
  opened: number;
  closed: number;
}

/** Adds up the results of a collection and describes them. */
export class CollectionReport {
  readonly #kinds = new Map<string, KindRow>();
  readonly #scopes: Record<ScopeStatus, number> = {
    ...{ collected: 0, empty: 0, denied: 0, failed: 0, 'not enabled': 0 },
  };
  readonly #gaps: ScopeResult[] = [];
  readonly #problems: Problem[] = [];

  get resources(): number {
    return [...this.#kinds.values()].reduce((sum, { resources }) => sum + resources, 0);
  }

  /** Resources of these kinds. */
  resourcesOf(kinds: ReadonlySet<string>): number {
    return [...this.#kinds.values()]
      .filter(({ kind }) => kinds.has(kind))
      .reduce((sum, { resources }) => sum + resources, 0);
  }

  add(results: readonly ScopeResult[]): void {
    for (const result of results) {
      this.#scopes[result.status]++;
      if (result.status === 'denied' || result.status === 'failed') this.#gaps.push(result);
      if (result.resources === 0 && result.effect.closed === 0) continue;
      const row = this.#kinds.get(result.kind) ?? {
        ...{ kind: result.kind, resources: 0, regions: 0, opened: 0, closed: 0 },
      };
      row.resources += result.resources;
      row.regions++;
      row.opened += result.effect.opened;
      row.closed += result.effect.closed;
      this.#kinds.set(result.kind, row);
    }
  }

  /** Kinds and regions that could not be read. */
  get gaps(): readonly ScopeResult[] {
    return this.#gaps;
  }

  /** Accounts that could not be read. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  addProblem(problem: Problem): void {
    this.#problems.push(problem);
  }

  /** Whether nothing could be read. */
  get isUnread(): boolean {
    return this.#scopes.collected + this.#scopes.empty === 0;
  }

  /** Why there was nothing to ask; undefined if something was asked. */
  get obstacle(): string | undefined {
    const asked = Object.values(this.#scopes).reduce((sum, count) => sum + count, 0);
    return asked === 0 ? this.#problems.map(({ reason }) => reason).join('\n') : undefined;
  }

  data(usage: readonly BudgetUsage[]): object {
    return {
      ...{ resources: this.resources, scopes: this.#scopes, kinds: this.#rows() },
      gaps: this.#gaps.map(({ kind, region, cloudAccount, status, reason, permission }) => ({
        ...{ kind, region, cloudAccount, status, reason },
        ...(permission !== undefined && { permission }),
      })),
      problems: this.#problems.map(({ status, reason }) => ({ status, reason })),
      calls: usage.reduce((sum, { calls }) => sum + calls, 0),
      largestShare: largestShare(usage),
    };
  }

  text(usage: readonly BudgetUsage[], seconds: number): string {
    const { collected, empty, denied, failed, 'not enabled': notEnabled } = this.#scopes;
    const kinds = table(
      this.#rows().map(({ kind, resources, regions, opened, closed }) => ({
        kind,
        resources: String(resources),
        regions: String(regions),
        'new or changed': String(opened),
        'changed or removed': String(closed),
      })),
      '',
    );
    const calls = usage.reduce((sum, one) => sum + one.calls, 0);
    const share = largestShare(usage);
    const ofRate = share > 0 ? ` (at most ${Math.round(share * 100)} % of a documented rate)` : '';
    const made = calls > 0 ? `, with ${calls} calls${ofRate}` : '';
    return [
      ...(this.#kinds.size > 0 ? [kinds, ''] : []),
      `${this.resources} resources of ${this.#kinds.size} kinds in ${seconds.toFixed(1)} s${made}.`,
      `Kinds and regions: ${collected} collected, ${empty} empty, ${denied} denied, ${failed} failed, ${notEnabled} not enabled.`,
      ...this.#problems.map(({ reason }) => reason),
      ...this.#gaps
        .slice(0, shownGaps)
        .map(({ status, kind, region, reason }) => `${status}: ${kind} in ${region}: ${reason}`),
      ...(this.#gaps.length > shownGaps ? [`… and ${this.#gaps.length - shownGaps} more: use --json.`] : []),
      ...this.#help(),
    ].join('\n');
  }

  #rows(): KindRow[] {
    return [...this.#kinds.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1));
  }

  #help(): string[] {
    const permissions = new Set(this.#gaps.flatMap(({ permission }) => permission?.split(', ') ?? []));
    if (permissions.size === 0) return [];
    return [`These permissions would help: ${[...permissions].sort().join(', ')}.`];
  }
}

function largestShare(usage: readonly BudgetUsage[]): number {
  return usage.reduce((largest, { share = 0 }) => Math.max(largest, share), 0);
}
