/** The types of events of a stream, most severe first, and the type of all others. */
export class EventTypes<Event> {
  readonly #types: readonly (readonly [eventType: string, matches: (event: Event) => boolean])[];
  readonly #other: string;

  constructor(
    other: string,
    types: readonly (readonly [eventType: string, matches: (event: Event) => boolean])[],
  ) {
    this.#types = types;
    this.#other = other;
  }

  /** The index of the event's type in order of severity. */
  rankOf(event: Event): number {
    const rank = this.#types.findIndex(([, matches]) => matches(event));
    return rank < 0 ? this.#types.length : rank;
  }

  at(rank: number): string {
    return this.#types[rank]?.[0] ?? this.#other;
  }
}
