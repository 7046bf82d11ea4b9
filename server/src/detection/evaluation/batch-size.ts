/** Policies at first. A batch has a fixed cost of some thirty statements, and holds its results in temporary tables. */
const initial = 64;
const bounds = { min: 1, max: 1_024 };
/** Milliseconds: other accounts wait for a batch to end, and it is repeated as a whole after an interruption. */
const target = { min: 2_000, max: 8_000 };

/** How many policies are evaluated together: more of them in a small account than in a large one. */
export class BatchSize {
  #current = initial;

  get current(): number {
    return this.#current;
  }

  /** Takes the duration of a batch of so many policies into account. */
  note(policies: number, milliseconds: number): void {
    if (milliseconds > target.max) this.#current = Math.max(bounds.min, Math.floor(this.#current / 2));
    else if (milliseconds < target.min && policies >= this.#current)
      this.#current = Math.min(bounds.max, this.#current * 2);
  }
}
