import { rm } from 'node:fs/promises';
import type { Clock } from '../../platform/clock.ts';
import { datasets } from '../datasets.ts';
import type { TelemetryStore } from '../store.ts';
import { Engine, type EngineLimits } from './engine.ts';
import { DuckHoldings } from './holdings.ts';
import { Loader } from './loader.ts';
import { Reader } from './reader.ts';
import { Segments } from './segments.ts';
import { daysOf, epochOf, settle } from './succession.ts';
import { Writer } from './writer.ts';

export interface DuckStoreParts {
  readonly directory: string;
  readonly limits: EngineLimits;
  readonly clock: Clock;
  /** Whether the control store says that a restore happened. */
  isCommitted(restore: string): Promise<boolean>;
}

/** The store inside this process. */
export async function openDuckStore(parts: DuckStoreParts): Promise<TelemetryStore> {
  const { directory, limits, clock } = parts;
  const leftovers = await settle(directory, (id) => parts.isCommitted(id));
  const engine = await Engine.open(directory, limits);
  const segments = await Segments.open(engine, daysOf(directory), datasets);
  const writer = new Writer(engine, segments, clock);
  const reader = new Reader(engine, segments);
  // Nobody waits for it, and what stays is removed at the next opening.
  const sweeping = Promise.allSettled(leftovers.map((name) => rm(name, { recursive: true, force: true })));
  return {
    epoch: epochOf(daysOf(directory)),
    store: (batch) => writer.store(batch),
    lastSequence: () => segments.lastSequence,
    page: (wanted, after, rows) => reader.page(wanted, after, rows),
    count: (wanted) => reader.count(wanted),
    furtherMembers: (account, path) => segments.furtherMembers(account, path),
    forgetAccount: (account) => writer.forget(account),
    forgetBefore: (moment) => segments.dropBefore(moment),
    holdings: (accounts) => DuckHoldings.now(engine, segments, accounts),
    successor: (id) => Loader.open(id, directory, limits),
    close: async () => {
      await writer.idle();
      await engine.idle();
      await sweeping;
      // Closing would do it too, but hold up everything else meanwhile. What it can not do the next opening does.
      await segments.checkpoint().catch(() => {});
      engine.close();
    },
  };
}
