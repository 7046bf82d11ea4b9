import type { TestProject } from 'vitest/node';
import { ControlStore } from '../control/store.ts';
import { systemClock } from '../platform/clock.ts';
import { findPostgresBinaries, startPostgresCluster } from './cluster.ts';
import { createPostgresDatabase } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: string;
    /** Name of a database with the current tables, which tests copy: the migrations take a second. */
    postgresTemplate: string;
  }
}

/** Provides the cluster URL to the tests of the `postgres` project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.VEDETTE_TEST_POSTGRES_URL;
  const binaries = findPostgresBinaries();
  const cluster = given || !binaries ? undefined : await startPostgresCluster(binaries);
  const url = given ?? cluster?.url;
  if (url === undefined) return async () => {};
  const template = await createPostgresDatabase(url);
  await (await ControlStore.open(template.url, systemClock)).close();
  project.provide('postgres', url);
  project.provide('postgresTemplate', template.name);
  return async () => {
    await template.drop();
    cluster?.stop();
  };
}
