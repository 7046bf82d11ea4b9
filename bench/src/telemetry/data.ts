import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '@vedette/server/platform/log';
import { connectionsOf } from '@vedette/server/simulate/streams/connections';
import { connections } from '@vedette/server/telemetry/datasets/Connections';
import { openDuckStore } from '@vedette/server/telemetry/duckdb/duck-store';
import type { EngineLimits } from '@vedette/server/telemetry/duckdb/engine/engine';
import type { TelemetryStore } from '@vedette/server/telemetry/store';
import { RawTelemetry } from '../baselines/duckdb.ts';
import { RawStore } from '../baselines/sqlite.ts';
import type { Place } from '../bench.ts';

const day = 86_400_000;
export const days = 14;
/** Of the generated data; searches end here. */
export const end = Date.parse('2026-03-15T00:00:00Z');
const perBatch = 5_000;
const atOnce = 4;
/** Machines whose connections of 14 days are about a million. */
const hostsOfMillion = 100.5;

/** The range of the days before the end. */
export function lastDays(count: number) {
  return {
    startTime: new Date(end - count * day).toISOString(),
    endTime: new Date(end).toISOString(),
  };
}

/** The range of the first days, which the batches of `batchTexts` are about. */
export function firstDays(count: number) {
  const start = end - days * day;
  return { startTime: new Date(start).toISOString(), endTime: new Date(start + count * day).toISOString() };
}

/** The simulator's company with so many connections. */
export function companySize(millions: number) {
  return { hosts: Math.round(millions * hostsOfMillion), seed: 1 };
}

/** Connections of the company as texts, by the hour. */
export function* connectionTexts(millions: number): Generator<{ hour: number; text: string }> {
  for (const record of connectionsOf({ ...companySize(millions), days, end })) {
    yield { hour: Date.parse(String(record.startTime)), text: JSON.stringify(record) };
  }
}

/** A server's data directory with two weeks in it, and the same records in a file for the raw engine. */
export async function lived(place: Place, millions: number): Promise<string> {
  const file = join(place.directory, 'raw.duckdb');
  if (existsSync(file)) return file;
  await fill(place, millions);
  await RawTelemetry.build(file, join(place.dataDirectory, 'telemetry/days'), connections.path);
  return file;
}

/** A server's data directory with two weeks in it. */
export async function fill(place: Place, millions: number): Promise<void> {
  rmSync(place.dataDirectory, { recursive: true, force: true });
  await (await place.startServer()).stop();
  await liveThrough(place, millions);
}

/** The id of the account that the server made. */
export function accountOf(place: Place): string {
  const raw = new RawStore(join(place.dataDirectory, 'control.db'));
  const id = String(raw.reader('select id from accounts')()[0]?.[0]);
  raw.close();
  return id;
}

/** One that talks to others in every hour. */
export function someMachine(millions: number): string {
  for (const { text } of connectionTexts(millions)) {
    const mid = /"mid":(\d+)/.exec(text)?.[1];
    if (mid) return mid;
  }
  throw new Error('No connection names a machine.');
}

/** The telemetry of a server that does not run. */
export function openStore(place: Place, limits: EngineLimits, now: () => number): Promise<TelemetryStore> {
  const directory = join(place.dataDirectory, 'telemetry');
  const isCommitted = async () => false;
  const log = createLog('warn');
  return openDuckStore({ directory, limits, diskCap: undefined, clock: { now }, log, isCommitted });
}

/**
 * Fills the data directory of a server as two weeks of its life would have: each hour's connections arrive when the hour
 * is over, and days that are past have been put in order. The server must not run.
 */
async function liveThrough(place: Place, millions: number): Promise<number> {
  const account = accountOf(place);
  let now = end - days * day;
  const limits = { memory: '2GB', threads: 2 };
  const store = await openStore(place, limits, () => now);
  const waiting = new Set<Promise<unknown>>();
  let records: string[] = [];
  let count = 0;
  const send = async () => {
    const batch = {
      account,
      dataset: connections,
      records,
      isWellTyped: true,
      undeclaredMembers: [],
      idempotencyKey: undefined,
    };
    records = [];
    if (waiting.size >= atOnce) await Promise.race(waiting);
    const storing: Promise<unknown> = store.store(batch).finally(() => waiting.delete(storing));
    waiting.add(storing);
  };
  for (const { hour, text } of connectionTexts(millions)) {
    if (hour + 3_600_000 > now) {
      if (records.length > 0) await send();
      await Promise.all(waiting);
      now = hour + 3_600_000;
      process.stderr.write(`\rmaking connections: ${count} until ${new Date(now).toISOString()}  `);
    }
    records.push(text);
    count++;
    if (records.length === perBatch) await send();
  }
  await send();
  await Promise.all(waiting);
  process.stderr.write(`\rmaking connections: ${count}, putting days in order${' '.repeat(20)}\n`);
  await store.compact();
  await store.close();
  return count;
}

/** Batches of connections, a record on each line. */
export function batchTexts(perBatch: number, batches: number): string[] {
  const texts: string[] = [];
  let records: string[] = [];
  for (const { text } of connectionTexts(1)) {
    if (records.push(text) < perBatch) continue;
    texts.push(records.join('\n'));
    records = [];
    if (texts.length === batches) break;
  }
  return texts;
}
