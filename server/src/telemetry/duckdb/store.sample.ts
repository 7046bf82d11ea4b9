import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import { createLog, type Log } from '../../platform/log.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { connections } from '../datasets/Connections.ts';
import type { Space } from '../file-system.ts';
import { Engine } from './engine.ts';
import { Reader } from './reader.ts';
import { Recovery } from './recovery.ts';
import { Room } from './room.ts';
import { Segments } from './segments.ts';
import { Writer } from './writer.ts';

export const hour = 3_600_000;
export const noon = Date.parse('2026-03-01T12:00:00.000Z');
export const iso = (moment: number) => new Date(moment).toISOString();

/** A connection of one hour; its port is odd. */
export const connection = (start: number, rest = '') =>
  `{"startTime":"${iso(start)}","endTime":"${iso(start + hour)}","srcEntityType":"Process",` +
  `"srcEntityId":{"mid":9223372036854775807,"pid_hash":-9223372036854775808},"dstEntityType":"ServerPort",` +
  `"dstEntityId":{"port":"odd","protocol":"TCP"},"srcInBytes":1,"srcOutBytes":2,"dstInBytes":2,"dstOutBytes":1,` +
  `"numConns":1${rest}}`;

export interface SampleOptions {
  readonly cap?: number;
  readonly space?: () => Promise<Space>;
  readonly datasets?: readonly TelemetryDataset[];
  readonly log?: Log;
}

/** The parts of a store for tests, in a directory of theirs and on a disk that is never full unless they say so. */
export async function openSampleStore(directory: string, clock: Clock, options: SampleOptions = {}) {
  const { cap, space = async () => ({ size: 1e12, free: 1e12 }), datasets = [connections] } = options;
  const { log = createLog('silent') } = options;
  const engine = await Engine.open(directory, { memory: '256MB', threads: 2 });
  const segments = await Segments.open(engine, join(directory, 'days'), datasets).catch((error: unknown) => {
    engine.close();
    throw error;
  });
  const recovery = new Recovery(engine, segments, log);
  const room = new Room({ segments, clock, log, cap, space });
  const writer = new Writer({ engine, segments, clock, room, recovery });
  return { engine, segments, recovery, room, writer, reader: new Reader(engine, segments) };
}
