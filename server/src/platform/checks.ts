import { type ErrorCode, type FieldProblem, Refusal } from './errors.ts';

/** A refusal of one field; its message begins with the name of the field. */
export function refuseField(code: ErrorCode, field: string, complaint: string): Refusal {
  const message = `${field}${complaint.startsWith(':') ? '' : ' '}${complaint}`;
  return new Refusal(code, message, { problems: [{ field, message }] });
}

/** Several checks of one request: it is refused for everything that is wrong, and not just for the first. */
export class Checks {
  #first: Refusal | undefined;
  readonly problems: FieldProblem[] = [];

  run<Result>(check: () => Result): Result | undefined {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#first ??= error;
      this.problems.push(...(error.problems ?? [{ field: '', message: error.message }]));
      return undefined;
    }
  }

  /** Refuses with the code and the message of the first check that did. */
  finish(): void {
    if (!this.#first) return;
    const { code, message } = this.#first;
    throw new Refusal(code, message, { problems: this.problems });
  }
}
