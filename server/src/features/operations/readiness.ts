import { Refusal } from '../../platform/errors.ts';

/** A check of a dependency without which requests cannot be served. */
export interface ReadinessCheck {
  /** Completes the message `The … does not respond.` */
  readonly name: string;
  /** Throws if the dependency is unavailable, a Refusal to set the message. Returns a reason if it is degraded. */
  check(): Promise<string | undefined> | string | undefined;
}

/** Fails with the message of the fault, if there is one. */
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

/** Returns the reasons for degraded service; throws the error of the first check that fails. */
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
