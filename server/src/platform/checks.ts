import { type ErrorCode, type FieldProblem, Refusal } from './errors.ts';

/** A refusal for one field; its message starts with the name of the field. */
export function refuseField(code: ErrorCode, field: string, complaint: string): Refusal {
  const message = `${field}${complaint.startsWith(':') ? '' : ' '}${complaint}`;
  return new Refusal(code, message, { problems: [{ field, message }] });
}

/** Collects the problems of several checks, so that the response lists all of them and not only the first. */
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

  /** Throws with the code and message of the first failed check, if any. */
  finish(): void {
    if (!this.#first) return;
    const { code, message } = this.#first;
    throw new Refusal(code, message, { problems: this.problems });
  }
}
