import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ControlStore } from '../control/store.ts';
import { ConsoleOrigin } from '../http/console-origin.ts';
import { type Agents, Gate } from '../http/gate.ts';
import { HttpMetrics } from '../http/metrics.ts';
import { AddressLimiter } from '../http/rate/address-limiter.ts';
import { MemoryLimiter } from '../http/rate/limiter.ts';
import type { Route } from '../http/route.ts';
import { createServer, type ServerDeps } from '../http/server.ts';
import { Callers } from '../identity/callers.ts';
import { SessionCallers } from '../identity/session-callers.ts';
import { SignInFailures } from '../identity/sign-in-failures.ts';
import { createLog } from '../platform/log.ts';
import { ManualClock } from './clock.ts';
import { createTestPlace, type TestPlace } from './database.ts';

const noAgents: Agents = { accessOf: async () => undefined };

/** The token of a host agent of an account. */
export function agentOf(account: string, name = account) {
  return {
    scope: { ownerId: account, name, isOrganization: false, isReadOnly: true },
    purpose: 'agent' as const,
  };
}

/** The real HTTP server with the routes of a test. */
export class RouteServer {
  readonly app: FastifyInstance;
  readonly metrics = new HttpMetrics();
  readonly logLines: string[] = [];
  readonly #place: TestPlace;
  readonly #store: ControlStore;

  private constructor(
    place: TestPlace,
    store: ControlStore,
    { agents = noAgents, ...deps }: RouteServerDeps,
  ) {
    this.#place = place;
    this.#store = store;
    const clock = new ManualClock();
    const log = createLog('trace', { write: (line: string) => void this.logLines.push(line) });
    this.app = createServer({
      gate: new Gate({
        ...{ callers: new Callers(store, clock), agents, limit: 480, limiter: new MemoryLimiter(clock) },
        sessions: new SessionCallers(store, clock, undefined),
        origin: new ConsoleOrigin(() => this.url),
        addresses: new AddressLimiter(clock),
        failures: new SignInFailures(store, clock, log),
      }),
      log,
      metrics: this.metrics,
      publicUrl: undefined,
      trustedProxies: [],
      tls: undefined,
      ...deps,
    });
  }

  static async start(deps: RouteServerDeps): Promise<RouteServer> {
    const place = await createTestPlace();
    const store = await ControlStore.open(place.controlUrl, new ManualClock());
    const server = new RouteServer(place, store, deps);
    await server.app.listen({ host: '127.0.0.1', port: 0 });
    return server;
  }

  get port(): number {
    return (this.app.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.#store.close();
    await this.#place.remove();
  }
}

interface RouteServerDeps
  extends Partial<
    Pick<ServerDeps, 'timeLimits' | 'connectionLimits' | 'trustedProxies' | 'publicUrl' | 'tls' | 'pages'>
  > {
  readonly routes: readonly Route[];
  readonly agents?: Agents;
}
