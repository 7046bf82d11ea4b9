import type { CallBudget } from '../inventory/budget.ts';

/** What the SDK knows of a failed attempt. */
interface FailedAttempt {
  readonly error: unknown;
  readonly errorType: 'THROTTLING' | 'TRANSIENT' | 'SERVER_ERROR' | 'CLIENT_ERROR';
  readonly retryAfterHint?: Date;
}

class Attempt {
  readonly #retries: number;

  constructor(retries: number) {
    this.#retries = retries;
  }

  getRetryCount(): number {
    return this.#retries;
  }

  /** The budget has waited already. */
  getRetryDelay(): number {
    return 0;
  }

  getRetryCost(): undefined {
    return undefined;
  }
}

export const maxAttempts = 8;
const delays = { THROTTLING: 1_000, TRANSIENT: 100, SERVER_ERROR: 100 };
const maxDelay = 20_000;
/** A provider must not be able to stop a collection with a header. */
const maxHint = 60_000;

export interface BudgetedRetryDeps {
  readonly budget: CallBudget;
  /** What the budget counts. */
  readonly api: string;
  readonly random?: () => number;
}

/**
 * The retry strategy of an SDK client. Throttling pauses all calls to the API, with exponential backoff and as long as the
 * provider asks for; other failures delay only their own call.
 */
export class BudgetedRetry {
  readonly mode = 'adaptive';
  readonly #deps: BudgetedRetryDeps;

  constructor(deps: BudgetedRetryDeps) {
    this.#deps = deps;
  }

  async acquireInitialRetryToken(): Promise<Attempt> {
    return new Attempt(0);
  }

  async refreshRetryTokenForRetry(
    last: Attempt,
    { errorType, retryAfterHint }: FailedAttempt,
  ): Promise<Attempt> {
    const retries = last.getRetryCount() + 1;
    if (errorType === 'CLIENT_ERROR' || retries >= maxAttempts) throw new Error('The call is not repeated.');
    const { budget, api, random = Math.random } = this.#deps;
    const backoff = Math.min(maxDelay, delays[errorType] * 2 ** (retries - 1)) * (0.5 + random() / 2);
    // The SDK adds what the provider asks for to the time of the system.
    const hint = retryAfterHint ? Math.min(maxHint, retryAfterHint.getTime() - Date.now()) : 0;
    const delay = Math.max(backoff, hint);
    if (errorType === 'THROTTLING') budget.pause(api, delay);
    else await budget.delay(delay);
    return new Attempt(retries);
  }

  recordSuccess(): void {}
}
