/** Holds requests back after the session ended, until the user signed in again. */
export class SessionGate {
  #reopened: Promise<void> | undefined;
  #open: (() => void) | undefined;
  readonly #listeners = new Set<() => void>();

  get isClosed(): boolean {
    return this.#reopened !== undefined;
  }

  /** Resolves when requests may be repeated; all callers share one sign-in. */
  closed(): Promise<void> {
    if (!this.#reopened) {
      this.#reopened = new Promise((resolve) => {
        this.#open = resolve;
      });
      this.#notify();
    }
    return this.#reopened;
  }

  open(): void {
    this.#open?.();
    this.#reopened = undefined;
    this.#open = undefined;
    this.#notify();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

export const sessionGate = new SessionGate();
