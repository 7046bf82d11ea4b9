import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { FairQueue } from '../platform/fair-queue.ts';

/** 32 MiB and about 0.3 seconds of one core. */
const cost = { N: 2 ** 15, r: 8, p: 3 } as const;
const [saltBytes, hashBytes] = [16, 32] as const;
/** Of unknown users: verifying against it takes as long as against a real one. */
const noHash = format(cost, Buffer.alloc(saltBytes), Buffer.alloc(hashBytes));

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/**
 * Hashes passwords one at a time, because each hash needs a core and 32 MiB. Client networks take turns in the queue and
 * none can fill it, so that guesses from one network do not keep others from signing in.
 */
export class PasswordHasher {
  readonly #queue = new FairQueue({ noun: 'sign-in', concurrency: 1, waiting: 16, waitingPerAccount: 8 });

  /** The stored form, with the parameters and a random salt. */
  async hash(password: string, network: string): Promise<string> {
    const salt = randomBytes(saltBytes);
    return format(cost, salt, await this.#derive(password, network, { salt, length: hashBytes, ...cost }));
  }

  /** Takes the same time without a stored hash, and is then false. */
  async matches(password: string, stored: string | undefined, network: string): Promise<boolean> {
    const { salt, hash, ...parameters } = parse(stored ?? noHash);
    const derived = await this.#derive(password, network, { salt, length: hash.length, ...parameters });
    return timingSafeEqual(derived, hash) && stored !== undefined;
  }

  #derive(
    password: string,
    network: string,
    { salt, length, ...parameters }: Cost & { readonly salt: Buffer; readonly length: number },
  ): Promise<Buffer> {
    // Twice what the parameters need: the default limit of Node is exactly too small.
    const options: ScryptOptions = { ...parameters, maxmem: 256 * parameters.N * parameters.r };
    return this.#queue.run(
      network,
      () =>
        new Promise((resolve, reject) =>
          // The same password can be typed in several Unicode forms.
          scrypt(password.normalize('NFC'), salt, length, options, (error, derived) =>
            error ? reject(error) : resolve(derived),
          ),
        ),
    );
  }
}

function format({ N, r, p }: Cost, salt: Buffer, hash: Buffer): string {
  return `scrypt$N=${N},r=${r},p=${p}$${salt.toString('base64')}$${hash.toString('base64')}`;
}

function parse(stored: string): Cost & { readonly salt: Buffer; readonly hash: Buffer } {
  const match = /^scrypt\$N=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored);
  if (!match) throw new Error('A stored password hash has an unknown format.');
  const [N = 0, r = 0, p = 0] = match.slice(1, 4).map(Number);
  const [salt = '', hash = ''] = match.slice(4);
  return { N, r, p, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
}
