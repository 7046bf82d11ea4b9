import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
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

export async function createTestPlace(): Promise<TestPlace> {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-test-'));
  const removeDirectory = () => rmSync(directory, { recursive: true, force: true });
  const cluster = inject('postgres');
  if (!cluster) {
    return {
      directory,
      controlUrl: `sqlite:${join(directory, 'control.db')}`,
      remove: async () => removeDirectory(),
    };
  }
  const database = await createPostgresDatabase(cluster);
  return { directory, controlUrl: database.url, remove: () => database.drop().finally(removeDirectory) };
}
