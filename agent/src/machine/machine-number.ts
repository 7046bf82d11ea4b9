import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostFiles } from '../host/host-files.ts';
import { valueOr } from '../reading.ts';
import { writeStateFile } from '../state-file.ts';

/** Numbers in JSON are exact below this. */
const mask = (1n << 53n) - 1n;

/** What identifies the host; any of them may be unknown at a start, and known at the next one. */
const kinds = ['machineId', 'productUuid', 'instanceId'] as const;
export type HostIds = Readonly<Partial<Record<(typeof kinds)[number], string>>>;

/** Kept in the state directory. The ids are stored as digests: the host keeps some of them secret. */
interface Identity {
  readonly mid: number;
  readonly salt: string;
  readonly digests: HostIds;
}

/** The id of the system's installation, and that of the hardware, which only root may read. */
export async function readHostIds(files: HostFiles): Promise<HostIds> {
  const [installed, older, product] = await Promise.all(
    ['/etc/machine-id', '/var/lib/dbus/machine-id', '/sys/class/dmi/id/product_uuid'].map(async (path) =>
      valueOr(await files.text(path, 4_096), '')
        .trim()
        .toLowerCase(),
    ),
  );
  const machineId = [installed, older].find((id) => id !== undefined && /^[0-9a-f]{32}$/.test(id));
  const productUuid = product && /^[0-9a-f-]{36}$/.test(product) ? product : undefined;
  return { ...(machineId && { machineId }), ...(productUuid && { productUuid }) };
}

/**
 * The number of the host in all records. It stays while no id contradicts those of earlier starts: a copy of the host has
 * another one, although its state directory was copied too.
 */
export async function machineNumber(stateDirectory: string, ids: HostIds): Promise<number> {
  await mkdir(stateDirectory, { recursive: true, mode: 0o700 });
  const file = join(stateDirectory, 'host.json');
  const stored = await readIdentity(file);
  const salt = stored?.salt ?? randomBytes(16).toString('hex');
  const digests: HostIds = Object.fromEntries(
    kinds.flatMap((kind) => (ids[kind] ? [[kind, digestOf(salt, ids[kind]).toString('hex')]] : [])),
  );
  const isSame = stored && kinds.every((kind) => agree(stored.digests[kind], digests[kind]));
  const identity: Identity = isSame
    ? { ...stored, digests: { ...stored.digests, ...digests } }
    : { mid: numberOf(salt, digests), salt, digests };
  if (JSON.stringify(identity) !== JSON.stringify(stored)) await writeStateFile(file, identity);
  return identity.mid;
}

function agree(stored: string | undefined, now: string | undefined): boolean {
  return stored === undefined || now === undefined || stored === now;
}

function digestOf(salt: string, text: string): Buffer {
  return createHash('sha256').update(`${salt} ${text}`).digest();
}

function numberOf(salt: string, digests: HostIds): number {
  const parts = kinds.map((kind) => digests[kind] ?? '').join(' ');
  // Zero is not the number of a host.
  return Number(digestOf(salt, parts).readBigUInt64BE() & mask) || 1;
}

/** A damaged file counts as none. */
async function readIdentity(file: string): Promise<Identity | undefined> {
  try {
    const { mid, salt, digests } = JSON.parse(await readFile(file, 'utf8')) as Partial<Identity>;
    if (!Number.isSafeInteger(mid) || mid === undefined || mid <= 0) return undefined;
    if (typeof salt !== 'string' || typeof digests !== 'object' || digests === null) return undefined;
    return { mid, salt, digests };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof SyntaxError || error instanceof TypeError || code === 'ENOENT') return undefined;
    throw error;
  }
}
