import type { Host } from '../host/host.ts';
import type { Reading } from '../reading.ts';
import type { Gap } from '../source.ts';
import { startOfHour } from '../timestamp.ts';
import type { Container, Inventory, RuntimeType } from './container.ts';
import type { DetailCache } from './detail-cache.ts';
import type { SocketLimits } from './docker-socket.ts';
import type { ContainerRuntime } from './runtime.ts';

/** Milliseconds for all answers of one runtime. */
const maxDuration = 20_000;

/** How the details of listed containers are read. */
export interface DetailQuery<Listed, Detail> {
  /** `containers`: in messages. */
  readonly what: string;
  readonly cache: DetailCache<Detail>;
  /** Changes with the details. */
  readonly keyOf: (entry: Listed) => string;
  readonly ask: (id: string) => Promise<Reading<Detail>>;
}

/** A container runtime that is asked over its socket. */
export abstract class SocketRuntime<Connection extends { close(): void }> implements ContainerRuntime {
  readonly name: string;
  protected readonly type: RuntimeType;
  readonly #path: string;
  readonly #limits: SocketLimits | undefined;

  constructor(name: string, type: RuntimeType, path: string, limits?: SocketLimits) {
    this.name = name;
    this.type = type;
    this.#path = path;
    this.#limits = limits;
  }

  async inventory(host: Host): Promise<Reading<Inventory>> {
    const place = await host.files.place(this.#path);
    if (place.is !== 'read') return place;
    const signal = AbortSignal.any([host.signal, AbortSignal.timeout(maxDuration)]);
    const connection = this.connect(place.value, signal, this.#limits);
    try {
      return await this.read(connection, host.now());
    } finally {
      connection.close();
    }
  }

  protected abstract connect(place: string, signal: AbortSignal, limits?: SocketLimits): Connection;

  protected abstract read(connection: Connection, now: number): Promise<Reading<Inventory>>;

  /** The details by key. Those of an entry that has been removed since it was listed are not missing. */
  protected async details<Listed extends { readonly id: string }, Detail>(
    listed: readonly Listed[],
    { what, cache, keyOf, ask }: DetailQuery<Listed, Detail>,
    now: number,
    gaps: Gap[],
  ): Promise<Map<string, Detail>> {
    const ids = new Map(listed.map((entry) => [keyOf(entry), entry.id]));
    const failures: string[] = [];
    const details = await cache.all([...ids.keys()], now, async (key) => {
      const detail = await ask(ids.get(key) ?? '');
      if (detail.is === 'unreadable') failures.push(detail.reason);
      return detail.is === 'read' ? detail.value : undefined;
    });
    const [reason] = failures;
    if (reason !== undefined)
      gaps.push({ what: `details of ${failures.length} ${what} of ${this.name}`, reason });
    return details;
  }
}

/** Whether a container is reported: those that ended in this hour have run in it. */
export function hasRun({ isRunning, endedAt = 0 }: Container, now: number): boolean {
  return isRunning || endedAt >= startOfHour(now);
}
