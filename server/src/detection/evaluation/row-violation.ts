import type { Violation } from '../../alerts/finding.ts';
import type { Host } from '../../alerts/hosts.ts';
import { entitiesOf, hostnameIn, nameOf, shownNameOf } from './entities.ts';
import { keyOf, type Row } from './row.ts';
import type { Subject } from './subject.ts';

/** Computes names and entities lazily: most violations are already in an alert. */
export class RowViolation implements Violation {
  readonly key: string;
  readonly row: Row;
  host: Host | undefined;
  readonly #subject: Subject;
  #entities: Violation['entities'] | undefined;

  constructor(row: Row, subject: Subject) {
    this.row = row;
    this.key = keyOf(row, subject);
    this.#subject = subject;
  }

  get name(): string {
    return nameOf(this.row, this.#subject, this.key);
  }

  get shownName(): string {
    return shownNameOf(this.row, this.#subject, this.key, this.hostname);
  }

  get hostname(): string | undefined {
    return this.host?.name ?? hostnameIn(this.row, this.#subject);
  }

  get machineTags(): Violation['machineTags'] {
    // Tags in the row take precedence.
    return this.row.TAGS === undefined ? this.host?.tags : undefined;
  }

  get entities(): Violation['entities'] {
    this.#entities ??= entitiesOf(this.row, this.#subject);
    return this.#entities;
  }
}
