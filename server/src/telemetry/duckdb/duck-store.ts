import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { datasets } from '../datasets.ts';
import { spaceOf } from '../file-system.ts';
import type { TelemetryStore } from '../store.ts';
import { Engine, type EngineLimits } from './engine.ts';
import { Reader } from './reader.ts';
import { Recovery } from './recovery.ts';
import { Room } from './room.ts';
import { Segments } from './segments.ts';
import { Upkeep } from './upkeep.ts';
import { Writer } from './writer.ts';

export interface DuckStoreParts {
  readonly directory: string;
  readonly limits: EngineLimits;
  /** Bytes that telemetry may take on disk. */
  readonly diskCap: number | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** The store inside this process. */
export async function openDuckStore(parts: DuckStoreParts): Promise<TelemetryStore> {
  const { directory, limits, diskCap: cap, clock, log } = parts;
  const engine = await Engine.open(directory, limits);
  const segments = await Segments.open(engine, join(directory, 'days'), datasets).catch((error: unknown) => {
    // Whoever tries again must not meet files that are open already.
    engine.close();
    throw error;
  });
  const recovery = new Recovery(engine, segments, log);
  const room = new Room({ segments, clock, log, cap, space: () => spaceOf(directory) });
  const writer = new Writer({ engine, segments, clock, room, recovery });
  const reader = new Reader(engine, segments);
  const upkeep = new Upkeep({ engine, segments, writer, room, clock });
  return {
    store: (batch) => writer.store(batch),
    lastSequence: () => segments.lastSequence,
    first: (wanted, rows, signal) => recovery.search(() => reader.first(wanted, rows, signal)),
    next: (wanted, after, rows, signal) => recovery.search(() => reader.next(wanted, after, rows, signal)),
    furtherMembers: (account, path) => segments.furtherMembers(account, path),
    forgetAccount: (account) => upkeep.forgetAccount(account),
    forgetBefore: (moment) => upkeep.forgetBefore(moment),
    keepWithinCap: () => upkeep.keepWithinCap(),
    tidy: () => upkeep.tidy(),
    bytesOnDisk: () => room.taken,
    close: async () => {
      await writer.idle();
      await upkeep.idle();
      await room.idle();
      await engine.settled();
      engine.close();
    },
  };
}
