import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Creates an empty database on the test cluster; `drop` removes it. */
export async function createPostgresDatabase(
  clusterUrl: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `vedette_${randomBytes(6).toString('hex')}`;
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: clusterUrl });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await run(`create database ${name}`);
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) };
}
