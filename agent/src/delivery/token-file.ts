import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeStateFile } from '../state-file.ts';

interface Kept {
  readonly token: string;
  /** Digest of the configured token, of which this one is the successor. */
  readonly replaces: string;
}

/** The access token in use: the configured one, or the one by which the server has replaced it. */
export class TokenFile {
  readonly #directory: string;
  readonly #configured: string;
  #kept: string;
  #token: string;

  private constructor(directory: string, configured: string, token: string) {
    this.#directory = directory;
    this.#configured = configured;
    this.#kept = token;
    this.#token = token;
  }

  /** A kept token is ignored once another one is configured. */
  static async open(directory: string, configured: string): Promise<TokenFile> {
    const kept = await keptIn(directory);
    const isSuccessor = kept?.replaces === digestOf(configured);
    return new TokenFile(directory, configured, isSuccessor ? kept.token : configured);
  }

  get token(): string {
    return this.#token;
  }

  /** Durable when it resolves: the server may refuse the previous token soon. */
  async keep(token: string): Promise<void> {
    const kept: Kept = { token, replaces: digestOf(this.#configured) };
    await writeStateFile(fileIn(this.#directory), kept);
    this.#kept = token;
    this.#token = token;
  }

  /** Tries the other token: a server that was restored from an earlier backup knows only the configured one. */
  refuse(): void {
    this.#token = this.#token === this.#kept ? this.#configured : this.#kept;
  }
}

function fileIn(directory: string): string {
  return join(directory, 'token.json');
}

/** A file that is not understood counts as none: the configured token is still there. */
async function keptIn(directory: string): Promise<Kept | undefined> {
  try {
    const { token, replaces } = JSON.parse(await readFile(fileIn(directory), 'utf8'));
    return typeof token === 'string' && typeof replaces === 'string' ? { token, replaces } : undefined;
  } catch {
    return undefined;
  }
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
