import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import { fingerprint } from '../platform/fingerprint.ts';
import { newLinkCode } from '../platform/ids.ts';
import { formatInstant } from '../platform/instant.ts';
import { consoleUrl, keepsCookie } from './console-url.ts';
import type { Directory } from './directory.ts';
import { linkLifetime } from './session-limits.ts';

export interface NewLink {
  readonly url: string;
  readonly user: string;
  readonly expiresAt: number;
}

/** One-time links that sign a user in: for the first sign-in, and after a password was lost. */
export class SignInLinks {
  readonly #store: ControlStore;
  readonly #clock: Clock;

  constructor(store: ControlStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** A link for the user, by default for the first administrator. `baseUrl` is the URL of the service. */
  async create(directory: Directory, baseUrl: string, email?: string): Promise<NewLink> {
    const base = consoleUrl(baseUrl);
    if (!keepsCookie(base)) throw insecure();
    const user = await directory.user(email ?? (await directory.administrator()));
    const organization = await directory.organization();
    const [code, expiresAt] = [newLinkCode(), this.#clock.now() + linkLifetime];
    const actor = directory.actor('Sign-In Link Created', organization);
    const change = async (tx: ControlTransaction, act: { describe(sentence: string): void }) => {
      const row = await tx
        .selectFrom('users')
        .select(['enabled', 'type'])
        .where('id', '=', user.id)
        .executeTakeFirstOrThrow();
      refuseUnable(user.email, row);
      await tx
        .insertInto('sign_in_links')
        .values({ fingerprint: printOf(code), user_id: user.id, expires_at: expiresAt })
        .execute();
      act.describe(`for ${user.email}, valid until ${formatInstant(expiresAt)}`);
    };
    await this.#store.transaction(actor, change, { mayUseReserve: true });
    // In the fragment, which browsers send neither to the server nor to other sites.
    return { url: `${base}/welcome#${code}`, user: user.email, expiresAt };
  }

  /** The user of a link that is still valid. */
  async userOf(code: string): Promise<string | undefined> {
    const link = await this.#store.read
      .selectFrom('sign_in_links')
      .innerJoin('users', 'users.id', 'sign_in_links.user_id')
      .select('users.id')
      .where('sign_in_links.fingerprint', '=', printOf(code))
      .where('sign_in_links.expires_at', '>', this.#clock.now())
      .where('users.enabled', '=', 1)
      .executeTakeFirst();
    return link?.id;
  }

  /** Uses up a link in the transaction of the sign-in. */
  async redeem(tx: ControlTransaction, code: string): Promise<void> {
    const { numDeletedRows } = await tx
      .deleteFrom('sign_in_links')
      .where('fingerprint', '=', printOf(code))
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw wrongLink();
  }

  async deleteExpired(): Promise<void> {
    await this.#store.housekeeping((tx) =>
      tx.deleteFrom('sign_in_links').where('expires_at', '<=', this.#clock.now()).execute(),
    );
  }
}

export function wrongLink(): Refusal {
  return new Refusal(
    'UNAUTHENTICATED',
    'The link is wrong, expired or already used: run `npx vedette sign-in-link` on the host of the server for another.',
  );
}

function refuseUnable(email: string, { enabled, type }: { enabled: number; type: string }): void {
  if (enabled !== 1) throw new Refusal('CONFLICT', `${email} is disabled: enable the user first.`);
  if (type === 'ServiceUser')
    throw new Refusal(
      'CONFLICT',
      `${email} is a service user and can not sign in: use an API key (\`vedette key create\`).`,
    );
}

/** Browsers would drop the session cookie, so the link could not work. */
function insecure(): Refusal {
  return new Refusal(
    'CONFLICT',
    'The console needs HTTPS at an address that is not loopback: start the server with VEDETTE_TLS=self, or use a proxy with TLS and set VEDETTE_PUBLIC_URL.',
  );
}

function printOf(code: string): string {
  return fingerprint('sign-in link', code);
}
