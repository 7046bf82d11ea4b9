import { Refusal } from '../../../platform/errors.ts';
import type { SnapshotPart } from '../../snapshot.ts';
import type { ReceivedPart } from './staged-parts.ts';

/** Parts that share a transaction: a few large ones, or many small ones. */
const maxParts = 256;
const maxCharacters = 4 * 1024 * 1024;

interface WaitingPart {
  readonly received: ReceivedPart;
  resolve(missing: readonly string[]): void;
  reject(error: unknown): void;
}

/** Returns for each part the keys of the resources that it must send as a whole. */
type Store = (parts: readonly ReceivedPart[]) => Promise<readonly (readonly string[])[]>;
/** Runs the task when the account may write; the task stores the parts that wait then. */
type Schedule = (account: string, task: (store: Store) => Promise<void>) => Promise<void>;

/** Collects the parts of an account that wait, so that one transaction stores all of them. */
export class PartQueue {
  readonly #schedule: Schedule;
  readonly #waiting = new Map<string, WaitingPart[]>();

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** Durable when it resolves, with the keys of the resources that must be sent as a whole. */
  add(received: ReceivedPart): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      const { account } = received;
      const waiting = this.#waiting.get(account);
      const part = { received, resolve, reject };
      if (waiting) return void waiting.push(part);
      this.#waiting.set(account, [part]);
      this.#next(account);
    });
  }

  #next(account: string): void {
    let taken: WaitingPart[] = [];
    const storeNext = async (store: Store) => {
      taken = this.#take(account);
      await storeAll(taken, store);
    };
    this.#schedule(account, storeNext).catch((error: unknown) => {
      // The file could not be opened.
      const failed = taken.length > 0 ? taken : this.#take(account);
      for (const { reject } of failed) reject(error);
    });
  }

  #take(account: string): WaitingPart[] {
    const waiting = this.#waiting.get(account) ?? [];
    const some = together(waiting);
    const rest = waiting.filter((one) => !some.has(one));
    this.#waiting.delete(account);
    if (rest.length > 0) {
      this.#waiting.set(account, rest);
      this.#next(account);
    }
    return [...some];
  }
}

/** The first ones, without two snapshots of the same scope and without the same part twice. */
function together(waiting: readonly WaitingPart[]): Set<WaitingPart> {
  const snapshots = new Map<string, number>();
  const numbers = new Set<string>();
  const some = new Set<WaitingPart>();
  let characters = 0;
  for (const one of waiting) {
    const { id, part } = one.received;
    const scope = JSON.stringify([id.kind, id.cloudAccount, id.region]);
    const number = `${part.number} ${scope}`;
    if ((snapshots.get(scope) ?? id.started) !== id.started || numbers.has(number)) continue;
    characters += lengthOf(part);
    if (some.size > 0 && (some.size >= maxParts || characters > maxCharacters)) break;
    snapshots.set(scope, id.started);
    numbers.add(number);
    some.add(one);
  }
  return some;
}

/** Characters of a part. */
export function lengthOf(part: SnapshotPart | undefined): number {
  if (!part) return 0;
  const resources = part.resources.map(
    ({ key, config, tags, facts }) =>
      key.length +
      config.length +
      (tags?.length ?? 0) +
      Object.values(facts).reduce((sum, fact) => sum + fact.length, 0),
  );
  const unread = part.unread.map(({ key, reason }) => key.length + reason.length);
  return [...resources, ...unread].reduce((sum, length) => sum + length, 0);
}

async function storeAll(parts: readonly WaitingPart[], store: Store): Promise<void> {
  try {
    const missing = await store(parts.map(({ received }) => received));
    for (const [at, { resolve }] of parts.entries()) resolve(missing[at] ?? []);
  } catch (error) {
    // One of them is refused: the others are not to blame.
    if (error instanceof Refusal && parts.length > 1) for (const part of parts) await storeAll([part], store);
    else for (const { reject } of parts) reject(error);
  }
}
