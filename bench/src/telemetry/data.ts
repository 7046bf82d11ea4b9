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
import type { Workspace } from '../bench.ts';

const day = 86_400_000;
export const days = 14;
/** End of the generated data and of all searches. */
export const end = Date.parse('2026-03-15T00:00:00Z');
const perBatch = 5_000;
const concurrency = 4;
/** Hosts with about a million connections in 14 days. */
const hostsPerMillion = 100.5;

/** The range of the last days before the end. */
export function lastDays(count: number) {
  return {
    startTime: new Date(end - count * day).toISOString(),
    endTime: new Date(end).toISOString(),
  };
}

/** The range of the first days, which `ndjsonBatches` covers. */
export function firstDays(count: number) {
  const start = end - days * day;
  return { startTime: new Date(start).toISOString(), endTime: new Date(start + count * day).toISOString() };
}

/** The size of a simulated company with the given millions of connections. */
export function companySize(millions: number) {
  return { hosts: Math.round(millions * hostsPerMillion), seed: 1 };
}

/** Connections of the company as JSON, by the hour. */
export function* connectionRecords(millions: number): Generator<{ hour: number; json: string }> {
  for (const record of connectionsOf({ ...companySize(millions), days, end })) {
    yield { hour: Date.parse(String(record.startTime)), json: JSON.stringify(record) };
  }
}

/** Fills a server's data directory with two weeks of data, and a file with the same records for the raw engine. */
export async function prepareTelemetry(workspace: Workspace, millions: number): Promise<string> {
  const file = join(workspace.directory, 'raw.duckdb');
  if (existsSync(file)) return file;
  await fill(workspace, millions);
  await RawTelemetry.build(file, join(workspace.dataDirectory, 'telemetry/days'), connections.path);
  return file;
}

/** Fills a server's data directory with two weeks of data. */
export async function fill(workspace: Workspace, millions: number): Promise<void> {
  rmSync(workspace.dataDirectory, { recursive: true, force: true });
  await (await workspace.startServer()).stop();
  await simulateTwoWeeks(workspace, millions);
}

/** The id of the account that the server created. */
export function accountOf(workspace: Workspace): string {
  const raw = new RawStore(join(workspace.dataDirectory, 'control.db'));
  const id = String(raw.reader('select id from accounts')()[0]?.[0]);
  raw.close();
  return id;
}

/** The id of a host with connections in every hour. */
export function sampleHost(millions: number): string {
  for (const { json } of connectionRecords(millions)) {
    const mid = /"mid":(\d+)/.exec(json)?.[1];
    if (mid) return mid;
  }
  throw new Error('No connection has a host.');
}

/** The telemetry store of a stopped server. */
export function openStore(
  workspace: Workspace,
  limits: EngineLimits,
  now: () => number,
): Promise<TelemetryStore> {
  const directory = join(workspace.dataDirectory, 'telemetry');
  const isCommitted = async () => false;
  const log = createLog('warn');
  return openDuckStore({ directory, limits, diskCap: undefined, clock: { now }, log, isCommitted });
}

/**
 * Fills the data directory of a stopped server like two weeks of operation: each hour's connections arrive at the end of
 * the hour, and past days are compacted.
 */
async function simulateTwoWeeks(workspace: Workspace, millions: number): Promise<number> {
  const account = accountOf(workspace);
  let now = end - days * day;
  const limits = { memory: '2GB', threads: 2 };
  const store = await openStore(workspace, limits, () => now);
  const pending = new Set<Promise<unknown>>();
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
    if (pending.size >= concurrency) await Promise.race(pending);
    const storing: Promise<unknown> = store.store(batch).finally(() => pending.delete(storing));
    pending.add(storing);
  };
  for (const { hour, json } of connectionRecords(millions)) {
    if (hour + 3_600_000 > now) {
      if (records.length > 0) await send();
      await Promise.all(pending);
      now = hour + 3_600_000;
      process.stderr.write(`\rgenerating connections: ${count} until ${new Date(now).toISOString()}  `);
    }
    records.push(json);
    count++;
    if (records.length === perBatch) await send();
  }
  await send();
  await Promise.all(pending);
  process.stderr.write(`\rgenerating connections: ${count}, compacting days${' '.repeat(20)}\n`);
  await store.compact();
  await store.close();
  return count;
}

/** Batches of connections as NDJSON. */
export function ndjsonBatches(perBatch: number, batches: number): string[] {
  const result: string[] = [];
  let records: string[] = [];
  for (const { json } of connectionRecords(1)) {
    if (records.push(json) < perBatch) continue;
    result.push(records.join('\n'));
    records = [];
    if (result.length === batches) break;
  }
  return result;
}
