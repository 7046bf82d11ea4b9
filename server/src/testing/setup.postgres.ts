import type { TestProject } from 'vitest/node';
import { findPostgresBinaries, startPostgresCluster } from './cluster.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: string;
  }
}

/** Provides the cluster URL to the tests of the `postgres` project. */
export default async function setup(project: TestProject): Promise<() => void> {
  const given = process.env.VEDETTE_TEST_POSTGRES_URL;
  const binaries = findPostgresBinaries();
  if (given) project.provide('postgres', given);
  if (given || !binaries) return () => {};
  const cluster = await startPostgresCluster(binaries);
  project.provide('postgres', cluster.url);
  return cluster.stop;
}
