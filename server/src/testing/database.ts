import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, inject, test } from 'vitest';
import { createPostgresDatabase } from './postgres.ts';

export interface TestPlace {
  /** Temporary directory of the test. */
  readonly directory: string;
  /** URL of the control store: embedded, or PostgreSQL in the postgres project. */
  readonly controlUrl: string;
  remove(): Promise<void>;
}

/** Control store of the current test project. */
export const testDialect: 'sqlite' | 'postgres' = inject('postgres') ? 'postgres' : 'sqlite';

/** For tests of one database only: not registered on the other, so that they do not count as skipped. */
type Register = (name: string, run: () => void | Promise<void>, timeout?: number) => void;
const registerIf = (isActive: boolean, register: Register): Register => (isActive ? register : () => {});
export const describeOnSqlite = registerIf(testDialect === 'sqlite', describe as Register);
export const testOnSqlite = registerIf(testDialect === 'sqlite', test as Register);
export const testOnPostgres = registerIf(testDialect === 'postgres', test as Register);

/**
 * Uses the database of the project by default; PostgreSQL is available only in the postgres project. Its database may
 * already have the tables, if their creation is not what is tested.
 */
export async function createTestPlace(
  dialect = testDialect,
  { hasTables = false }: { readonly hasTables?: boolean } = {},
): Promise<TestPlace> {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-test-'));
  const removeDirectory = () => rmSync(directory, { recursive: true, force: true });
  const cluster = inject('postgres');
  if (!cluster || dialect === 'sqlite') {
    return {
      directory,
      controlUrl: `sqlite:${join(directory, 'control.db')}`,
      remove: async () => removeDirectory(),
    };
  }
  const template = hasTables ? inject('postgresTemplate') : undefined;
  const database = await createPostgresDatabase(cluster, template);
  return { directory, controlUrl: database.url, remove: () => database.drop().finally(removeDirectory) };
}
