import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { KeyFile } from '@vedette/server/identity/bootstrap';
import { agentFor, noAnswer, type ServerAgent } from '../server-agent.ts';
import { UsageError } from '../usage-error.ts';

export interface Api {
  readonly url: string;
  readonly key: Pick<KeyFile, 'keyId' | 'secret'>;
  /** Another one than the key's. */
  readonly account: string | undefined;
  readonly authorityFile: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface AccessToken {
  readonly token: string;
  readonly expiresAt: string;
}

/** Asks the server as every client does, with an API key. */
export class ApiClient {
  readonly #api: Api;
  readonly #server: ServerAgent;
  #token: Promise<AccessToken> | undefined;

  constructor(api: Api) {
    this.#api = api;
    this.#server = agentFor(api.url, api.authorityFile);
  }

  async post(path: string, body: unknown): Promise<Answer> {
    const { token } = await this.token();
    const { account } = this.#api;
    return this.#send(path, body, {
      authorization: `Bearer ${token}`,
      ...(account && { 'account-name': account }),
    });
  }

  /** An access token, for other programs too. */
  token(): Promise<AccessToken> {
    this.#token ??= this.#signIn();
    return this.#token;
  }

  close(): void {
    this.#server.agent.destroy();
  }

  async #signIn(): Promise<AccessToken> {
    const { keyId, secret } = this.#api.key;
    const answer = await this.#send('/api/v2/access/tokens', { keyId }, { 'x-lw-uaks': secret });
    if (answer.status !== 201)
      throw new UsageError(`The server does not take the API key ${keyId}: ${messageOf(answer)}`);
    return JSON.parse(answer.text);
  }

  async #send(path: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
    const { url } = this.#api;
    const { agent, request } = this.#server;
    const asked = request(`${url}${path}`, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', ...headers },
    });
    try {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        asked.once('response', resolve).once('error', reject);
        asked.end(JSON.stringify(body));
      });
      return { status: answer.statusCode ?? 0, text: (await buffer(answer)).toString('utf8') };
    } catch (error) {
      throw noAnswer(url, error as Error);
    }
  }
}

/** What the server says is wrong. */
export function messageOf({ status, text }: Answer): string {
  try {
    return String((JSON.parse(text) as { message?: unknown }).message);
  } catch {
    return `It answered with ${status}.`;
  }
}
