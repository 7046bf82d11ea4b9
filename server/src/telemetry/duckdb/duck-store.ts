import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import { datasets } from '../datasets.ts';
import type { TelemetryStore } from '../store.ts';
import { Engine, type EngineLimits } from './engine.ts';
import { Reader } from './reader.ts';
import { Segments } from './segments.ts';
import { Upkeep } from './upkeep.ts';
import { Writer } from './writer.ts';

/** The store inside this process. */
export async function openDuckStore(
  directory: string,
  limits: EngineLimits,
  clock: Clock,
): Promise<TelemetryStore> {
  const engine = await Engine.open(directory, limits);
  const segments = await Segments.open(engine, join(directory, 'days'), datasets);
  const writer = new Writer(engine, segments, clock);
  const reader = new Reader(engine, segments);
  const upkeep = new Upkeep({ engine, segments, writer, clock });
  return {
    store: (batch) => writer.store(batch),
    lastSequence: () => segments.lastSequence,
    first: (wanted, rows, signal) => reader.first(wanted, rows, signal),
    next: (wanted, after, rows, signal) => reader.next(wanted, after, rows, signal),
    furtherMembers: (account, path) => segments.furtherMembers(account, path),
    forgetAccount: (account) => upkeep.forgetAccount(account),
    forgetBefore: (moment) => upkeep.forgetBefore(moment),
    tidy: () => upkeep.tidy(),
    close: async () => {
      await writer.idle();
      await upkeep.idle();
      await engine.idle();
      engine.close();
    },
  };
}
