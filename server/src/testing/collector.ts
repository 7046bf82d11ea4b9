import type { Answer, TestService } from './service.ts';

export interface SentSnapshot {
  readonly kind: string;
  readonly started: number;
  readonly csp?: string;
  readonly cloudAccount?: string;
  readonly region?: string;
  readonly part?: number;
  readonly query?: string;
  readonly resources?: readonly object[];
}

/** A collector of one account, which sends snapshots. */
export class TestCollector {
  readonly token: string;
  readonly #service: TestService;

  private constructor(service: TestService, token: string) {
    this.#service = service;
    this.token = token;
  }

  static async of(service: TestService, account = 'local'): Promise<TestCollector> {
    const created = await service.request('POST', '/api/v2/AgentAccessTokens', {
      token: await service.token(),
      body: { tokenAlias: `collector of ${account}`, tokenEnabled: 1, tokenPurpose: 'collector' },
      headers: { 'Account-Name': account },
    });
    return new TestCollector(service, created.body.data.accessToken);
  }

  /** Sends one request; without resources only the end. */
  send(snapshot: SentSnapshot): Promise<Answer> {
    const { part = 1, query = '', resources = [] } = snapshot;
    const number = resources.length > 0 ? `&part=${part}` : '';
    return this.#service.request('POST', `${pathOf(snapshot)}${number}${query}`, {
      token: this.token,
      body: resources.map((resource) => JSON.stringify(resource)).join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    });
  }

  /** A whole snapshot in one request. */
  snapshot(snapshot: SentSnapshot): Promise<Answer> {
    const parts = snapshot.resources?.length ? 1 : 0;
    const status = parts ? 'collected' : 'empty';
    const query = `&status=${status}&ended=${snapshot.started + 1_000}&parts=${parts}${snapshot.query ?? ''}`;
    return this.send({ ...snapshot, query });
  }

  parts(snapshot: SentSnapshot): Promise<Answer> {
    return this.#service.request('GET', pathOf(snapshot), { token: this.token });
  }
}

function pathOf({
  csp = 'aws',
  cloudAccount = '123456789012',
  kind,
  region = 'eu-west-1',
  started,
}: SentSnapshot) {
  const segments = [csp, cloudAccount, kind, region].map(encodeURIComponent);
  return `/ingest/v1/resources/${segments.join('/')}?started=${started}`;
}
