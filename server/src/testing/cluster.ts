import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';

/** Directory of the PostgreSQL programs, on the PATH or in the Debian location, if installed. */
export function findPostgresBinaries(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')));
}

/** Starts a temporary PostgreSQL server on loopback, as an unprivileged user because initdb refuses root. */
export async function startPostgresCluster(binaries: string): Promise<{ url: string; stop(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-postgres-'));
  const asRoot = userInfo().uid === 0;
  if (asRoot) {
    chmodSync(folder, 0o755);
    execFileSync('chown', ['postgres', folder]);
  }
  const run = (program: string, ...args: string[]) => {
    const command = [join(binaries, program), ...args];
    const [file, rest] = asRoot
      ? ['runuser', ['-u', 'postgres', '--', ...command]]
      : [command[0] as string, command.slice(1)];
    execFileSync(file, rest, { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder });
  };
  const data = join(folder, 'data');
  const port = await freePort();
  // A linguistic collation, to detect columns declared without byte order.
  const order = ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US'];
  run('initdb', '-D', data, '-U', 'vedette', '-A', 'trust', '--encoding=UTF8', ...order);
  const settings = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories=${folder} -c max_connections=200`;
  run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', settings, 'start');
  return {
    url: `postgres://vedette@127.0.0.1:${port}/postgres`,
    stop: () => {
      run('pg_ctl', '-D', data, '-m', 'immediate', 'stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
