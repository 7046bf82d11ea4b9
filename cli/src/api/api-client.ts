import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { KeyFile } from '@vedette/server/identity/bootstrap';
import { agentFor, connectionError, type ServerAgent } from '../server-agent.ts';
import { UsageError } from '../usage-error.ts';

export interface Api {
  readonly url: string;
  readonly key: Pick<KeyFile, 'keyId' | 'secret'>;
  /** Overrides the account of the key. */
  readonly account: string | undefined;
  readonly authorityFile: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly body: string;
}

export interface AccessToken {
  readonly token: string;
  readonly expiresAt: string;
}

/** Client of the public API, authenticated with an API key. */
export class ApiClient {
  readonly #api: Api;
  readonly #server: ServerAgent;
  #token: Promise<AccessToken> | undefined;

  constructor(api: Api) {
    this.#api = api;
    this.#server = agentFor(api.url, api.authorityFile);
  }

  async post(path: string, body: unknown): Promise<ApiResponse> {
    return this.#send(path, body, await this.#authorization());
  }

  /** The caller reads the body, which may be long. */
  async get(path: string, query: Readonly<Record<string, string>>): Promise<IncomingMessage> {
    const headers = await this.#authorization();
    return this.#request('GET', `${path}?${new URLSearchParams(query)}`, headers);
  }

  /** Requested once and cached. */
  token(): Promise<AccessToken> {
    this.#token ??= this.#signIn();
    return this.#token;
  }

  close(): void {
    this.#server.agent.destroy();
  }

  async #signIn(): Promise<AccessToken> {
    const { keyId, secret } = this.#api.key;
    const response = await this.#send('/api/v2/access/tokens', { keyId }, { 'x-lw-uaks': secret });
    if (response.status !== 201)
      throw new UsageError(`The server rejected the API key ${keyId}: ${errorMessage(response)}`);
    return JSON.parse(response.body);
  }

  async #authorization(): Promise<Record<string, string>> {
    const { token } = await this.token();
    const { account } = this.#api;
    return { authorization: `Bearer ${token}`, ...(account && { 'account-name': account }) };
  }

  async #send(path: string, body: unknown, headers: Record<string, string>): Promise<ApiResponse> {
    const json = { 'content-type': 'application/json', ...headers };
    const response = await this.#request('POST', path, json, JSON.stringify(body));
    return this.read(response);
  }

  /** Reads a body that is not long. */
  async read(response: IncomingMessage): Promise<ApiResponse> {
    try {
      return { status: response.statusCode ?? 0, body: (await buffer(response)).toString('utf8') };
    } catch (error) {
      throw connectionError(this.#api.url, error as Error);
    }
  }

  async #request(
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<IncomingMessage> {
    const { url } = this.#api;
    const { agent, request } = this.#server;
    const outgoing = request(`${url}${path}`, { method, agent, headers });
    try {
      return await new Promise<IncomingMessage>((resolve, reject) => {
        outgoing.once('response', resolve).once('error', reject);
        outgoing.end(body);
      });
    } catch (error) {
      throw connectionError(url, error as Error);
    }
  }
}

export function errorMessage({ status, body }: ApiResponse): string {
  try {
    return String((JSON.parse(body) as { message?: unknown }).message);
  } catch {
    return `The response had status ${status}.`;
  }
}
