import type { Finding, Violation } from '../../alerts/finding.ts';

/** Limit on the bytes of rows kept in memory and as evidence. */
const maxBytes = 4 * 1024 * 1024;

/** The first new violations of an evaluation, up to the limit of its alert. */
export class ListedViolations {
  readonly #limit: number;
  readonly #violations = new Map<string, Violation>();
  #bytes = 0;
  #isEmpty = true;
  #firstEventAt: number | undefined;
  #lastEventAt: number | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True if there are no violations, listed or not. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** The event time counts even for violations that are not listed. */
  add(violation: Violation, eventAt: number | undefined): void {
    this.#isEmpty = false;
    if (eventAt !== undefined) {
      this.#firstEventAt = Math.min(this.#firstEventAt ?? eventAt, eventAt);
      this.#lastEventAt = Math.max(this.#lastEventAt ?? eventAt, eventAt);
    }
    if (this.#violations.size >= this.#limit || this.#violations.has(violation.key)) return;
    if (this.#violations.size > 0 && this.#bytes >= maxBytes) return;
    this.#bytes += sizeOf(violation.row);
    this.#violations.set(violation.key, violation);
  }

  copy(): ListedViolations {
    const copy = new ListedViolations(this.#limit);
    for (const [key, violation] of this.#violations) copy.#violations.set(key, violation);
    copy.#bytes = this.#bytes;
    copy.#isEmpty = this.#isEmpty;
    copy.#firstEventAt = this.#firstEventAt;
    copy.#lastEventAt = this.#lastEventAt;
    return copy;
  }

  /** Removes and returns them, so that the alert lists each violation once. */
  take(): Pick<Finding, 'listed' | 'firstEventAt' | 'lastEventAt'> {
    const listed = [...this.#violations.values()];
    this.#violations.clear();
    return { listed, firstEventAt: this.#firstEventAt, lastEventAt: this.#lastEventAt };
  }
}

/** Approximate. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.entries(value).reduce((sum, [name, inner]) => sum + name.length + sizeOf(inner), 2);
}
