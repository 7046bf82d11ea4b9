import type { ControlStore } from '../control/store.ts';
import { clientNetwork } from '../platform/client-address.ts';
import type { Clock } from '../platform/clock.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Log } from '../platform/log.ts';
import { LruMap } from '../platform/lru-map.ts';
import { SignInBackoff } from './sign-in-backoff.ts';

/** Per credential, one audit entry and one repeated log line are written in this time. */
export const summaryWindow = 600_000;
const maxLinesPerMinute = 30;
const maxListedAddresses = 5;

/** Wrong passwords of a user from all networks together that are not delayed. */
const freeGuessesOfUser = 50;
const allNetworks = 'all';

export type CredentialKind =
  | 'api_key'
  | 'access_token'
  | 'agent_token'
  | 'server_token'
  | 'password'
  | 'sign_in_link'
  | 'session';

export interface SignInFailure {
  readonly kind: CredentialKind;
  readonly address: string;
  /** As sent by the client; for a password, the e-mail address in lower case. */
  readonly keyId?: string;
  /** Set for a known credential: the owner of the audit log and the description in it. */
  readonly known?: KnownCredential | undefined;
}

export interface KnownCredential {
  readonly ownerId: string;
  readonly name: string;
}

interface RepeatedFailure {
  readonly fields: object;
  readonly since: number;
  count: number;
}

interface Summary extends KnownCredential {
  readonly since: number;
  readonly addresses: Set<string>;
  hasMoreAddresses: boolean;
  last: number;
  count: number;
}

/**
 * Reasons in metrics. `wrong` does not distinguish unknown, disabled and wrong credentials, so that metrics reveal
 * nothing about keys.
 */
export type FailureReason = 'missing' | 'wrong' | 'throttled';

/**
 * Counts, logs and audits failed sign-ins with bounded memory, log lines and audit entries: repetitions are summarised,
 * and only existing credentials get an audit entry.
 */
export class SignInFailures {
  readonly counts = new Map<CredentialKind, Map<FailureReason, number>>();
  readonly #store: ControlStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #backoff: SignInBackoff;
  /** By user, for guesses from many networks. */
  readonly #userBackoff: SignInBackoff;
  readonly #repeated = new LruMap<RepeatedFailure>(1_000);
  readonly #summaries = new LruMap<Summary>(10_000);
  readonly #lines = { since: 0, count: 0, suppressed: 0 };

  constructor(store: ControlStore, clock: Clock, log: Log) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#backoff = new SignInBackoff(clock);
    this.#userBackoff = new SignInBackoff(clock, { freeAttempts: freeGuessesOfUser });
  }

  /** A request without a credential, which is not a guess. */
  countMissing(kind: CredentialKind): void {
    this.#count(kind, 'missing');
  }

  /**
   * Seconds to wait before a password is checked. Other secrets are checked in any case, because they can not be guessed.
   * A familiar network is not delayed by guesses from elsewhere.
   */
  waitForPassword(email: string, address: string, isFamiliar: boolean): number {
    const wait = this.#backoff.wait(email, clientNetwork(address));
    return isFamiliar ? wait : Math.max(wait, this.#userBackoff.wait(email, allNetworks));
  }

  /** Counts an attempt that was refused without checking the credential. */
  countThrottled(kind: CredentialKind): void {
    this.#count(kind, 'throttled');
  }

  /** Records a wrong credential. Returns the seconds to wait if the key id failed too often from this network. */
  record(failure: SignInFailure): number {
    const { kind, address, keyId, known } = failure;
    const wait = keyId === undefined ? 0 : this.#backoff.fail(keyId, clientNetwork(address));
    if (kind === 'password' && keyId !== undefined) this.#userBackoff.fail(keyId, allNetworks);
    this.#count(kind, wait > 0 ? 'throttled' : 'wrong');
    this.#logOnce(failure);
    if (known) this.#summarise(known, address);
    return wait;
  }

  succeeded(keyId: string, address: string): void {
    this.#backoff.succeed(keyId, clientNetwork(address));
  }

  /** Logs and audits the summaries whose window has ended; all of them when the service stops. */
  async flush(isStopping = false): Promise<void> {
    const until = isStopping ? Number.POSITIVE_INFINITY : this.#clock.now() - summaryWindow;
    for (const [key, { fields, since, count }] of this.#repeated.entries()) {
      if (since > until) continue;
      this.#repeated.delete(key);
      if (count > 1)
        this.#log.warn({ ...fields, count, since: formatInstant(since) }, 'sign-in failed repeatedly');
    }
    if (this.#lines.suppressed > 0)
      this.#log.warn({ count: this.#lines.suppressed }, 'further sign-ins failed');
    this.#lines.suppressed = 0;
    for (const [key, summary] of this.#summaries.entries()) {
      if (summary.since > until) continue;
      this.#summaries.delete(key);
      try {
        await this.#audit(summary);
      } catch (error) {
        this.#restore(key, summary);
        throw error;
      }
    }
  }

  /**
   * Restores a summary that could not be stored, merged with failures since then: the store may be unavailable or its
   * disk full.
   */
  #restore(key: string, summary: Summary): void {
    const meanwhile = this.#summaries.get(key);
    this.#summaries.set(key, summary);
    if (!meanwhile) return;
    summary.count += meanwhile.count;
    summary.last = meanwhile.last;
    summary.hasMoreAddresses ||= meanwhile.hasMoreAddresses;
    for (const address of meanwhile.addresses) addAddress(summary, address);
  }

  #count(kind: CredentialKind, reason: FailureReason): void {
    const reasons = this.counts.get(kind) ?? new Map<FailureReason, number>();
    this.counts.set(kind, reasons.set(reason, (reasons.get(reason) ?? 0) + 1));
  }

  #logOnce({ kind, address, keyId, known }: SignInFailure): void {
    const fields = {
      ...{ kind, address },
      // The name of an unknown user may be a misplaced password.
      ...(kind === 'password' && { user: known ? keyId : 'unknown' }),
      ...(kind !== 'password' && keyId !== undefined && { keyId: loggableKeyId(keyId) }),
    };
    const key = Object.values(fields).join(' ');
    const before = this.#repeated.get(key);
    if (before) {
      before.count++;
      return;
    }
    const now = this.#clock.now();
    if (now - this.#lines.since >= 60_000) Object.assign(this.#lines, { since: now, count: 0 });
    if (this.#lines.count >= maxLinesPerMinute) {
      this.#lines.suppressed++;
      return;
    }
    this.#lines.count++;
    this.#repeated.set(key, { fields, since: now, count: 1 });
    this.#log.warn(fields, 'sign-in failed');
  }

  #summarise({ ownerId, name }: KnownCredential, address: string): void {
    const now = this.#clock.now();
    const key = `${ownerId} ${name}`;
    const summary = this.#summaries.get(key) ?? {
      ...{ ownerId, name, since: now, last: now, count: 0 },
      ...{ addresses: new Set<string>(), hasMoreAddresses: false },
    };
    this.#summaries.set(key, summary);
    summary.count++;
    summary.last = now;
    addAddress(summary, address);
  }

  async #audit({ ownerId, name, count, since, last, ...sources }: Summary): Promise<void> {
    const owner = await this.#ownerName(ownerId);
    if (owner === undefined) return;
    const addresses = [...sources.addresses, ...(sources.hasMoreAddresses ? ['others'] : [])].join(', ');
    const attempts = count === 1 ? '1 failed attempt' : `${count} failed attempts`;
    await this.#store.transaction(
      { userName: 'unknown', ownerId, accountName: owner, act: 'Failed Sign-In Summary' },
      async (_, act) =>
        act.describe(
          `${attempts} with ${name} from ${addresses} between ${formatInstant(since)} and ${formatInstant(last)}`,
        ),
    );
  }

  async #ownerName(ownerId: string): Promise<string | undefined> {
    const read = (table: 'accounts' | 'organizations') =>
      this.#store.read.selectFrom(table).select('name').where('id', '=', ownerId).executeTakeFirst();
    return ((await read('accounts')) ?? (await read('organizations')))?.name;
  }
}

function addAddress(summary: Summary, address: string): void {
  if (summary.addresses.size < maxListedAddresses) summary.addresses.add(address);
  else if (!summary.addresses.has(address)) summary.hasMoreAddresses = true;
}

/** Logs only well-formed key ids: anything else may be a misplaced secret. */
function loggableKeyId(keyId: string): string {
  return /^[A-Z0-9-]{1,40}_[0-9A-F]{50}$/.test(keyId) ? keyId : `malformed, ${keyId.length} characters`;
}
