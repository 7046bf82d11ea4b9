import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Creates a database on the test cluster, empty or as a copy of another one; `drop` removes it. */
export async function createPostgresDatabase(
  clusterUrl: string,
  template?: string,
): Promise<{ name: string; url: string; drop(): Promise<void> }> {
  const name = `vedette_${randomBytes(6).toString('hex')}`;
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: clusterUrl });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await run(
    template === undefined ? `create database ${name}` : `create database ${name} template ${template}`,
  );
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return { name, url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) };
}
