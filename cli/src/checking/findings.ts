import { grouped } from '@vedette/server/platform/grouped';
import { jsonArray, type SearchQuery } from '@vedette/server/search/page';
import type { Telemetry } from '@vedette/server/telemetry/telemetry';
import type { CheckedPolicy, Finding } from './check-result.ts';
import { checkAccount } from './check-store.ts';

/** Results that one search returns for several policies; a search costs as much as thousands of them. */
const readTogether = 5_000;
/** Results that are held for policies that nobody has asked for yet. */
const maxHeld = 20_000;

/** What violates each policy or could not be assessed, read for several policies at a time. */
export class Findings {
  readonly #telemetry: Pick<Telemetry, 'evaluations'>;
  readonly #provider: string;
  readonly #at: number;
  /** Not read yet, in the order in which they are asked for. */
  readonly #unread: Map<string, CheckedPolicy>;
  readonly #held = new Map<string, readonly Finding[]>();

  constructor(
    telemetry: Pick<Telemetry, 'evaluations'>,
    policies: readonly CheckedPolicy[],
    { provider, at }: { readonly provider: string; readonly at: number },
  ) {
    this.#telemetry = telemetry;
    [this.#provider, this.#at] = [provider, at];
    this.#unread = new Map(policies.filter(hasFindings).map((one) => [one.policy.id, one]));
  }

  /** Sorted by resource. */
  async of(checked: CheckedPolicy): Promise<readonly Finding[]> {
    if (!hasFindings(checked)) return [];
    const { id } = checked.policy;
    const held = this.#held.get(id);
    this.#held.delete(id);
    if (held) return held;
    const some = this.#next(checked);
    const found = grouped(await this.#read([...some.keys()]), (one) => one.id);
    for (const other of some.keys()) {
      this.#unread.delete(other);
      if (other !== id) this.#held.set(other, sorted(found.get(other) ?? []));
    }
    return sorted(found.get(id) ?? []);
  }

  /** The policy and those that will probably follow. */
  #next(checked: CheckedPolicy): ReadonlyMap<string, CheckedPolicy> {
    const some = new Map<string, CheckedPolicy>([[checked.policy.id, checked]]);
    let held = 0;
    for (const findings of this.#held.values()) held += findings.length;
    let read = countOf(checked);
    for (const [id, other] of this.#unread) {
      if (some.has(id)) continue;
      read += countOf(other);
      if (read > readTogether || held + read > maxHeld) break;
      some.set(id, other);
    }
    return some;
  }

  async #read(ids: readonly string[]): Promise<(Finding & { readonly id: string })[]> {
    const query: SearchQuery = {
      range: { start: 0, end: this.#at + 1 },
      filters: [
        { field: 'id', expression: 'in', values: [...ids] },
        { field: 'status', expression: 'ne', value: 'Compliant' },
      ],
      returns: ['id', 'status', 'resource', 'region', 'reason', 'account'],
      provider: this.#provider,
    };
    const { evaluations } = this.#telemetry;
    const found: (Finding & { readonly id: string })[] = [];
    let page = await evaluations.search(checkAccount, query);
    for (;;) {
      for (const one of JSON.parse(jsonArray(page))) found.push(one);
      if (page.next === undefined) return found;
      page = await evaluations.nextPage(checkAccount, page.next);
    }
  }
}

const countOf = ({ counts }: CheckedPolicy) => counts.NonCompliant + counts.CouldNotAssess;
const hasFindings = (checked: CheckedPolicy) => countOf(checked) > 0;

function sorted(found: readonly (Finding & { readonly id: string })[]): Finding[] {
  return found
    .map(({ id: _, ...finding }) => finding)
    .sort((one, other) => (one.resource < other.resource ? -1 : one.resource > other.resource ? 1 : 0));
}
