/** Repeated measurements of one quantity. */
export class Sample {
  readonly #values: number[] = [];

  add(value: number): void {
    this.#values.push(value);
  }

  get size(): number {
    return this.#values.length;
  }

  get median(): number {
    return this.quantile(0.5);
  }

  quantile(share: number): number {
    const sorted = this.#values.toSorted((a, b) => a - b);
    const position = share * (sorted.length - 1);
    const [low, high] = [
      sorted[Math.floor(position)] ?? Number.NaN,
      sorted[Math.ceil(position)] ?? Number.NaN,
    ];
    return low + (high - low) * (position - Math.floor(position));
  }
}
