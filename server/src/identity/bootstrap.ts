import { existsSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { ControlStore } from '../control/store.ts';
import type { Clock } from '../platform/clock.ts';
import { isAccountName } from '../platform/configuration.ts';
import { newGuid, newKeyId, newKeySecret } from '../platform/ids.ts';
import { writePrivateFile } from '../platform/private-file.ts';
import { accountHost } from './account-host.ts';
import type { InitializeOwner } from './accounts.ts';
import { keyRow } from './keys.ts';
import { userRow } from './user-row.ts';

/** An API key file in the format of the clients' `configure` commands. */
export interface KeyFile {
  readonly keyId: string;
  readonly secret: string;
  /** The host of the account, because one client rejects a bare name. */
  readonly account: string;
  readonly subAccount: string;
  readonly url: string;
}

/**
 * Creates the organization, its account, an organization admin and an API key at the first start. The key file is
 * written before the commit: a crash in between leaves a file that the next start overwrites, never an unknown key.
 */
export async function bootstrap(
  store: ControlStore,
  clock: Clock,
  name: string,
  keyFile: string,
  initializeOwner: InitializeOwner,
): Promise<void> {
  if (await isBootstrapped(store)) return;
  const now = clock.now();
  const [organizationId, accountId, userId] = [newGuid(name), newGuid(name), newGuid(name)];
  const email = `admin@${name}`;
  const actor = { userName: email, ownerId: organizationId, accountName: name, act: 'Organization Created' };
  await store
    .transaction(actor, async (tx, act) => {
      // Nodes that start together on an empty PostgreSQL database wait here for the first one.
      if (store.dialect === 'postgres') await sql`lock table organizations in exclusive mode`.execute(tx);
      if (await tx.selectFrom('organizations').select('id').executeTakeFirst())
        throw new AlreadyBootstrapped();
      await tx.insertInto('organizations').values({ id: organizationId, name, created_at: now }).execute();
      await tx
        .insertInto('accounts')
        .values({ id: accountId, organization_id: organizationId, name, created_at: now })
        .execute();
      const user = { id: userId, email, organization_role: 'orgAdmin', updated_by: email };
      await tx
        .insertInto('users')
        .values(userRow({ id: organizationId, name }, now, user))
        .execute();
      const [keyId, secret] = [newKeyId(name), newKeySecret()];
      await tx.insertInto('api_keys').values(keyRow({ keyId, secret, userId, accountId, now })).execute();
      const owner = { name, administrator: email, createdAt: now };
      await initializeOwner(tx, { ...owner, id: organizationId, isOrganization: true });
      await initializeOwner(tx, { ...owner, id: accountId, isOrganization: false });
      writeKeyFile(keyFile, { keyId, secret, account: accountHost(name), subAccount: '', url: '' });
      act.describe(`organization and account ${name}, administrator ${email}, API key ${keyId}`);
    })
    .catch((error: unknown) => {
      if (!(error instanceof AlreadyBootstrapped)) throw error;
    });
}

/** Updates the URL in the key file when the host or port changes, and the account to the format of the clients. */
export function recordAddress(keyFile: string, url: string): void {
  const content = readKeyFile(keyFile);
  if (!content) return;
  const isBare = isAccountName(content.account ?? '');
  if (content.url === url && !isBare) return;
  writeKeyFile(keyFile, { ...content, url, ...(isBare && { account: accountHost(content.account) }) });
}

export function readKeyFile(file: string): KeyFile | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as KeyFile) : undefined;
}

function writeKeyFile(file: string, content: KeyFile): void {
  writePrivateFile(file, `${JSON.stringify(content, undefined, 2)}\n`);
}

async function isBootstrapped(store: ControlStore): Promise<boolean> {
  return (await store.read.selectFrom('organizations').select('id').executeTakeFirst()) !== undefined;
}

class AlreadyBootstrapped extends Error {}
