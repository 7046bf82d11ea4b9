import { normalize } from 'node:path';
import type { HostFiles } from '../host/host-files.ts';
import { valueOr } from '../reading.ts';
import { readUsers } from '../users/accounts.ts';

/** A user and the directory where the user's keys are. */
export interface Home {
  readonly name: string;
  readonly uid: number;
  readonly home: string;
  /** Whether it belongs to a person, and not to a service. */
  readonly isPersonal: boolean;
}

const maxHomes = 2_000;
/** Directories of the system, which services without files have as their home. */
const system =
  /^\/(?:|bin|sbin|boot|dev|etc|lib\d*|proc|sys|run|tmp|usr|var|nonexistent|dev\/.*|proc\/.*|sys\/.*)$/;

/** The homes of the host's users, and those in `/home` of users that only a directory knows. */
export async function readHomes(files: HostFiles): Promise<readonly Home[]> {
  const homes = new Map<string, Home>();
  for (const { name, uid, home } of valueOr(await readUsers(files), [])) {
    const path = pathOf(home);
    if (path === undefined || homes.has(`${path} ${name}`) || homes.size >= maxHomes) continue;
    homes.set(`${path} ${name}`, { name, uid, home: path, isPersonal: uid === 0 || uid >= 1_000 });
  }
  const known = new Set([...homes.values()].map(({ home }) => home));
  for (const name of valueOr(await files.names('/home', maxHomes), [])) {
    const home = `/home/${name}`;
    const status = await files.status(home);
    if (known.has(home) || homes.size >= maxHomes || status.is !== 'read' || !status.value.isDirectory())
      continue;
    homes.set(home, { name, uid: status.value.uid, home, isPersonal: true });
  }
  return [...homes.values()];
}

function pathOf(home: string): string | undefined {
  const path = normalize(home).replace(/\/+$/, '');
  return home.startsWith('/') && path.length < 4_096 && !system.test(path || '/') ? path : undefined;
}
