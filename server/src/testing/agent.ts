import type { Answer, TestService } from './service.ts';

export interface Sending {
  readonly key?: string;
  /** Format of the body: one record per line, or an array. */
  readonly form?: 'lines' | 'array';
  readonly path?: string;
}

/** An agent of one account, which reports records and searches them. */
export class TestAgent {
  readonly #service: TestService;
  readonly #agent: string;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(service: TestService, agent: string, headers: Readonly<Record<string, string>>) {
    this.#service = service;
    this.#agent = agent;
    this.#headers = headers;
  }

  static async of(service: TestService, account = 'local'): Promise<TestAgent> {
    const headers = { 'Account-Name': account };
    const created = await service.request('POST', '/api/v2/AgentAccessTokens', {
      token: await service.token(),
      body: { tokenAlias: `agent of ${account}`, tokenEnabled: 1 },
      headers,
    });
    return new TestAgent(service, created.body.data.accessToken, headers);
  }

  /** The same agent on a service with a copy of its account. */
  at(service: TestService): TestAgent {
    return new TestAgent(service, this.#agent, this.#headers);
  }

  /** A DNS query of a host from a second ago. */
  lookup(mid: number | string, rest = ''): string {
    const created = new Date(this.#service.clock.now() - 1_000).toISOString();
    return `{"createdTime":"${created}","mid":${mid},"fqdn":"a.example","hostIpAddr":"192.0.2.1","ttl":60,"dnsServerIp":"192.0.2.53"${rest}}`;
  }

  send(records: readonly string[], sending: Sending = {}): Promise<Answer> {
    const { key, form = 'lines', path = 'Activities/DNSs' } = sending;
    return this.#service.request('POST', `/ingest/v1/${path}`, {
      token: this.#agent,
      body: form === 'lines' ? records.join('\n') : `[${records.join(',')}]`,
      headers: {
        'content-type': form === 'lines' ? 'application/x-ndjson' : 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
    });
  }

  async search(token: string, body: unknown = {}, path = 'Activities/DNSs'): Promise<Answer> {
    return this.#service.request('POST', `/api/v2/${path}/search`, { token, body, headers: this.#headers });
  }
}
