import type { ControlStore } from '../control/store.ts';
import { clientNetwork } from '../platform/client-address.ts';
import type { Clock } from '../platform/clock.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Log } from '../platform/log.ts';
import { RecentMap } from '../platform/recent-map.ts';
import { SignInBackoff } from './sign-in-backoff.ts';

/** One audit entry and one further log line for each credential in this time. */
export const summaryWindow = 600_000;
const linesPerMinute = 30;
const listedAddresses = 5;

export type CredentialKind = 'api_key' | 'access_token' | 'agent_token' | 'server_token';

export interface SignInFailure {
  readonly kind: CredentialKind;
  readonly address: string;
  /** As the client gave it. */
  readonly keyId?: string;
  /** A credential that the store knows: whose audit log hears of it, and what it is called there. */
  readonly known?: KnownCredential | undefined;
}

export interface KnownCredential {
  readonly ownerId: string;
  readonly name: string;
}

interface Repeated {
  readonly facts: object;
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

/** What metrics tell apart. `wrong` is unknown, disabled or wrong alike: anyone may read metrics, and learn nothing of keys. */
export type FailureReason = 'missing' | 'wrong' | 'throttled';

/**
 * Counts, logs and audits sign-ins that failed. However many there are, memory, log lines and audit entries are bounded:
 * repeated ones are summarised, and only credentials that exist get an audit entry.
 */
export class SignInFailures {
  readonly counts = new Map<CredentialKind, Map<FailureReason, number>>();
  readonly #store: ControlStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #backoff: SignInBackoff;
  readonly #repeated = new RecentMap<Repeated>(1_000);
  readonly #summaries = new RecentMap<Summary>(10_000);
  readonly #lines = { since: 0, count: 0, left: 0 };

  constructor(store: ControlStore, clock: Clock, log: Log) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#backoff = new SignInBackoff(clock);
  }

  /** Without a credential at all, which is no attempt to guess one. */
  countMissing(kind: CredentialKind): void {
    this.#count(kind, 'missing');
  }

  /** A wrong credential. Returns the seconds to wait where the same key id came from the same address too often. */
  record(failure: SignInFailure): number {
    const { kind, address, keyId, known } = failure;
    const wait = keyId === undefined ? 0 : this.#backoff.fail(keyId, clientNetwork(address));
    this.#count(kind, wait > 0 ? 'throttled' : 'wrong');
    this.#logOnce(failure);
    if (known) this.#summarise(known, address);
    return wait;
  }

  succeeded(keyId: string, address: string): void {
    this.#backoff.succeed(keyId, clientNetwork(address));
  }

  /** Logs and audits what was repeated, where its window is over; all of it when the service stops. */
  async flush(isStopping = false): Promise<void> {
    const until = isStopping ? Number.POSITIVE_INFINITY : this.#clock.now() - summaryWindow;
    for (const [key, { facts, since, count }] of this.#repeated.entries()) {
      if (since > until) continue;
      this.#repeated.delete(key);
      if (count > 1)
        this.#log.warn({ ...facts, count, since: formatInstant(since) }, 'sign-in failed repeatedly');
    }
    if (this.#lines.left > 0) this.#log.warn({ count: this.#lines.left }, 'further sign-ins failed');
    this.#lines.left = 0;
    for (const [key, summary] of this.#summaries.entries()) {
      if (summary.since > until) continue;
      this.#summaries.delete(key);
      try {
        await this.#audit(summary);
      } catch (error) {
        this.#putBack(key, summary);
        throw error;
      }
    }
  }

  /** What could not be written, with what came meanwhile: the store may be away or its disk full. */
  #putBack(key: string, summary: Summary): void {
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

  #logOnce({ kind, address, keyId }: SignInFailure): void {
    const facts = { kind, address, ...(keyId !== undefined && { keyId: printable(keyId) }) };
    const key = Object.values(facts).join(' ');
    const before = this.#repeated.get(key);
    if (before) {
      before.count++;
      return;
    }
    const now = this.#clock.now();
    if (now - this.#lines.since >= 60_000) Object.assign(this.#lines, { since: now, count: 0 });
    if (this.#lines.count >= linesPerMinute) {
      this.#lines.left++;
      return;
    }
    this.#lines.count++;
    this.#repeated.set(key, { facts, since: now, count: 1 });
    this.#log.warn(facts, 'sign-in failed');
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

  async #audit({ ownerId, name, count, since, last, ...seen }: Summary): Promise<void> {
    const owner = await this.#ownerName(ownerId);
    if (owner === undefined) return;
    const addresses = [...seen.addresses, ...(seen.hasMoreAddresses ? ['others'] : [])].join(', ');
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
  if (summary.addresses.size < listedAddresses) summary.addresses.add(address);
  else if (!summary.addresses.has(address)) summary.hasMoreAddresses = true;
}

/** A key id of our form. Anything else may be a secret in the wrong place. */
function printable(keyId: string): string {
  return /^[A-Z0-9-]{1,40}_[0-9A-F]{50}$/.test(keyId) ? keyId : `malformed, ${keyId.length} characters`;
}
