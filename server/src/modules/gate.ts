import { RateLeases } from '../control/rate-leases.ts';
import { ConsoleOrigin } from '../http/console-origin.ts';
import { Gate } from '../http/gate.ts';
import { AddressLimiter } from '../http/rate/address-limiter.ts';
import { MemoryLimiter, SharedLimiter } from '../http/rate/limiter.ts';
import { SignInFailures } from '../identity/sign-in-failures.ts';
import { signInMetrics } from '../identity/sign-in-metrics.ts';
import type { AgentsModule } from './agents.ts';
import type { ControlStoreModule } from './control-store.ts';
import type { IdentityModule } from './identity.ts';
import { type Module, type ModuleContext, minute, second } from './module.ts';

export interface GateModule extends Module {
  readonly gate: Gate;
}

export interface GateDeps {
  readonly control: ControlStoreModule;
  readonly identity: IdentityModule;
  readonly agents: AgentsModule;
}

/** Authentication and rate limiting. */
export function gateModule(
  { configuration, clock, log, address }: ModuleContext,
  { control: { store }, identity: { callers, sessions }, agents: { agentTokens } }: GateDeps,
): GateModule {
  const limiter =
    store.dialect === 'sqlite'
      ? new MemoryLimiter(clock)
      : new SharedLimiter(clock, new RateLeases(store, clock));
  const addresses = new AddressLimiter(clock);
  const failures = new SignInFailures(store, clock, log);
  const limit = configuration.VEDETTE_RATE_LIMIT;
  const origin = new ConsoleOrigin(address);
  const removeIdle = async () => {
    addresses.removeIdle();
    await limiter.removeIdle();
  };
  return {
    gate: new Gate({ callers, sessions, origin, agents: agentTokens, limiter, addresses, failures, limit }),
    jobs: [
      { name: 'failed sign-ins', milliseconds: 10 * second, run: () => failures.flush() },
      { name: 'idle rate buckets', milliseconds: 10 * minute, run: removeIdle },
    ],
    metrics: [() => signInMetrics(failures)],
    // An unreachable store must not keep the other modules from closing.
    close: () =>
      failures
        .flush(true)
        .catch((error: unknown) => log.error({ error: String(error) }, 'could not record failed sign-ins')),
  };
}
