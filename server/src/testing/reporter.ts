import { join } from 'node:path';
import { type KeyFile, readKeyFile } from '../identity/bootstrap.ts';

export interface ReportResponse {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly message: string | undefined;
}

/** Reports batches like an agent to the server of a data directory, and checks the stored records. */
export class Reporter {
  readonly #directory: string;
  readonly #recordsOfBatch: number;
  /** Bodies by batch name: a repeated batch has the same content. */
  readonly #bodies = new Map<string, string>();
  #agent = '';
  /** Requested once: a new token is a row, which a full disk would refuse. */
  #token = '';

  constructor(directory: string, recordsOfBatch: number) {
    this.#directory = directory;
    this.#recordsOfBatch = recordsOfBatch;
  }

  /** Sends a batch with its name as the idempotency key. */
  async send(url: string, batch: string): Promise<ReportResponse> {
    this.#agent ||= await this.#newAgent(url);
    const reply = await fetch(`${url}/ingest/v1/Activities/DNSs`, {
      method: 'POST',
      headers: { Authorization: this.#agent, 'Content-Type': 'application/json', 'Idempotency-Key': batch },
      body: this.#bodyOf(batch),
    });
    const { message } = (await reply.json()) as { message?: string };
    return { status: reply.status, retryAfter: reply.headers.get('retry-after'), message };
  }

  /** Number of stored records by batch. */
  async stored(url: string): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    this.#token ||= await this.#signIn(url);
    const token = this.#token;
    let response = await requestJson(`${url}/api/v2/Activities/DNSs/search`, token, { returns: ['batch'] });
    for (;;) {
      for (const { batch } of response.data) counts.set(batch, (counts.get(batch) ?? 0) + 1);
      if (!response.paging.urls.nextPage) return counts;
      response = await requestJson(response.paging.urls.nextPage, token);
    }
  }

  #bodyOf(batch: string): string {
    const createdTime = new Date().toISOString();
    const record = { createdTime, mid: 1, fqdn: 'a', hostIpAddr: 'b', ttl: 1, dnsServerIp: 'c', batch };
    const records = () => Array.from({ length: this.#recordsOfBatch }, () => record);
    const body = this.#bodies.get(batch) ?? JSON.stringify(records());
    this.#bodies.set(batch, body);
    return body;
  }

  async #newAgent(url: string): Promise<string> {
    const body = { tokenAlias: 'reporter', tokenEnabled: 1 };
    this.#token ||= await this.#signIn(url);
    return (await requestJson(`${url}/api/v2/AgentAccessTokens`, this.#token, body)).data.accessToken;
  }

  async #signIn(url: string): Promise<string> {
    const { keyId, secret } = readKeyFile(join(this.#directory, 'api-key.json')) as KeyFile;
    const reply = await fetch(`${url}/api/v2/access/tokens`, {
      method: 'POST',
      headers: { 'X-LW-UAKS': secret, 'Content-Type': 'application/json' },
      body: JSON.stringify({ keyId }),
    });
    return ((await reply.json()) as { token: string }).token;
  }
}

async function requestJson(
  url: string,
  token: string,
  body?: object,
): Promise<ReturnType<typeof JSON.parse>> {
  const reply = await fetch(url, {
    headers: { Authorization: token, 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return reply.json();
}
