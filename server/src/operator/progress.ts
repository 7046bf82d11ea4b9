/** Progress of the running operator command, in telemetry records. */
export class Progress {
  #done = 0;
  #total = 0;

  begin(total: number): void {
    [this.#done, this.#total] = [0, total];
  }

  advance(records: number): void {
    this.#done += records;
  }

  toJSON(): { done: number; total: number } {
    return { done: this.#done, total: this.#total };
  }
}
