import { Refusal } from '../../platform/errors.ts';

/** Something without which requests can not be served. */
export interface ReadinessCheck {
  /** Completes the sentence `The … does not answer.` */
  readonly name: string;
  /** Throws when it fails, a Refusal in its own words. What works in part says what does not. */
  check(): Promise<string | undefined> | string | undefined;
}

/** Fails with the message of a fault while there is one. */
export function faultCheck(name: string, fault: () => string | undefined): ReadinessCheck {
  return {
    name,
    check: () => {
      const message = fault();
      if (message !== undefined) throw new Refusal('UNAVAILABLE', message);
      return undefined;
    },
  };
}

/** What works in part only, when every check passes; else the reason of the first one that fails. */
export async function checkReadiness(checks: readonly ReadinessCheck[]): Promise<string[]> {
  const reasons: string[] = [];
  for (const { name, check } of checks) {
    try {
      const reason = await check();
      if (reason !== undefined) reasons.push(reason);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw new Refusal('UNAVAILABLE', `The ${name} does not respond.`, { retryAfter: 5 });
    }
  }
  return reasons;
}
