import { dirname } from 'node:path';
import { fileVersion } from '../host/file-version.ts';
import type { Host } from '../host/host.ts';
import { mapped, type Reading, unreadable } from '../reading.ts';
import type { Gap } from '../source.ts';
import { Cached } from './cached.ts';
import type { Inventory, PackageDatabase } from './installed-package.ts';
import { parseRpmQuery, rpmQueryFormat } from './rpm-query.ts';
import { readRpmSqlite } from './rpm-sqlite.ts';
import type { RpmTable } from './rpm-table.ts';

/** On most distributions, one of the directories is a link to the other. */
const directories = ['/usr/lib/sysimage/rpm', '/var/lib/rpm'];
/** The first one that exists counts: those of earlier formats may be left after an upgrade. */
const names = ['rpmdb.sqlite', 'Packages.db', 'Packages'];
const format = 'rpm';
const what = `packages of ${format}`;
const remedy = 'Compare it with the output of rpm -qa.';

type RpmHost = Pick<Host, 'files' | 'programs'>;

/** The packages of Red Hat, SUSE and Amazon Linux. Formats before SQLite are read by rpm itself. */
export class RpmDatabase implements PackageDatabase<RpmHost> {
  readonly #cached = new Cached<Reading<RpmTable>>();

  async inventory(host: RpmHost): Promise<Inventory | undefined> {
    for (const name of names)
      for (const directory of directories) {
        const path = `${directory}/${name}`;
        const inventory = await this.#inventoryOf(host, path, name === 'rpmdb.sqlite');
        if (inventory) return inventory;
      }
    return undefined;
  }

  async #inventoryOf(host: RpmHost, path: string, isSqlite: boolean): Promise<Inventory | undefined> {
    const version = await fileVersion(host.files, path);
    if (version.is === 'absent') return undefined;
    if (version.is === 'unreadable') return inventoryOf(version, path);
    const log = isSqlite ? await fileVersion(host.files, `${path}-wal`) : undefined;
    const key = [path, version.value.version, log?.is === 'read' ? log.value.version : ''].join('\n');
    const table = await this.#cached.get(
      key,
      () => (isSqlite ? readRpmSqlite(host.files, path) : queried(host, path)),
      // What failed may succeed at the next interval.
      ({ is }) => is === 'read',
    );
    return table.is === 'absent' ? undefined : inventoryOf(table, path);
  }
}

async function queried({ files, programs }: RpmHost, path: string): Promise<Reading<RpmTable>> {
  const directory = await files.place(dirname(path));
  if (directory.is !== 'read') return directory;
  const output = await programs.output('rpm', ['--dbpath', directory.value, '-qa', '--qf', rpmQueryFormat]);
  if (output.is === 'read') return mapped(output, parseRpmQuery);
  const reason = output.is === 'absent' ? 'The program rpm is not installed.' : output.reason;
  return unreadable(`${path} has a format that only rpm reads. ${reason} Install rpm where the agent runs.`);
}

function inventoryOf(reading: Reading<RpmTable>, path: string): Inventory {
  if (reading.is !== 'read')
    return { packages: [], gaps: reading.is === 'absent' ? [] : [{ what, reason: reading.reason }] };
  const { packages, damaged, damage } = reading.value;
  const gaps: Gap[] = [];
  if (damage !== undefined) gaps.push({ what, reason: `${path} is damaged: ${damage} ${remedy}` });
  if (damaged > 0)
    gaps.push({ what, reason: `${path} has invalid entries (${damaged} left out). ${remedy}` });
  if (packages.length === 0 && gaps.length === 0)
    gaps.push({ what, reason: `${path} exists, but no installed package was found in it. ${remedy}` });
  return { packages: packages.map((one) => ({ ...one, format, sourceFile: path })), gaps };
}
