import { chmodSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';

/** Milliseconds to wait for the transaction of another process (the vedette command). */
const busyTimeout = 10_000;

export function openForWriting(file: string): DatabaseSyncInstance {
  const database = new DatabaseSync(file);
  if (file !== ':memory:') chmodSync(file, 0o600);
  // FULL: committed transactions survive a power failure, not only a killed process.
  database.exec(`pragma busy_timeout = ${busyTimeout}; pragma journal_mode = wal; pragma synchronous = full;
    pragma foreign_keys = on; pragma trusted_schema = off`);
  return database;
}

export function openForReading(file: string): DatabaseSyncInstance {
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec(`pragma busy_timeout = ${busyTimeout}; pragma query_only = on; pragma trusted_schema = off`);
  return database;
}
