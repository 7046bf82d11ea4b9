import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, inject, test } from 'vitest';
import { createPostgresDatabase } from './postgres.ts';

export interface TestPlace {
  /** A directory of its own for this test's files. */
  readonly directory: string;
  /** The control store to use: the embedded one, or PostgreSQL when the suite runs for it. */
  readonly controlUrl: string;
  remove(): Promise<void>;
}

/** Which control store the present test project runs on. */
export const testDialect: 'sqlite' | 'postgres' = inject('postgres') ? 'postgres' : 'sqlite';

/** For tests of what only one store has: on the other one they do not exist, so that nothing counts as skipped. */
type Register = (name: string, run: () => void | Promise<void>, timeout?: number) => void;
const registers = (isHere: boolean, register: Register): Register => (isHere ? register : () => {});
export const describeOnSqlite = registers(testDialect === 'sqlite', describe as Register);
export const testOnSqlite = registers(testDialect === 'sqlite', test as Register);
export const testOnPostgres = registers(testDialect === 'postgres', test as Register);

/** On the store of the project unless said; PostgreSQL is there where the project runs on it. */
export async function createTestPlace(dialect = testDialect): Promise<TestPlace> {
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
  const database = await createPostgresDatabase(cluster);
  return { directory, controlUrl: database.url, remove: () => database.drop().finally(removeDirectory) };
}
