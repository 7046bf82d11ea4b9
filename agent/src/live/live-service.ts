import { TestService } from '@vedette/server/testing/service';
import { expect } from 'vitest';

export type Row = Readonly<Record<string, ReturnType<typeof JSON.parse>>>;

const hour = 3_600_000;
/** How long policies over states wait between two evaluations. */
const evaluationInterval = 5 * 60_000;

/** The real server with the clock of this host, which agents report to. */
export class LiveService {
  readonly #service: TestService;
  readonly #token: string;
  readonly agentToken: string;

  private constructor(service: TestService, token: string, agentToken: string) {
    this.#service = service;
    this.#token = token;
    this.agentToken = agentToken;
  }

  static async start(): Promise<LiveService> {
    const service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
    service.clock.advance(Date.now() - service.clock.now());
    const token = await service.token(service.firstKey, 86_400);
    const body = { tokenAlias: 'host', tokenEnabled: 1 };
    const created = await service.request('POST', '/api/v2/AgentAccessTokens', { token, body });
    return new LiveService(service, token, created.body.data.accessToken);
  }

  get url(): string {
    return this.#service.url;
  }

  /** Policies that are off by default are tested, too. */
  enable(policyId: string): Promise<unknown> {
    return this.#request('PATCH', `/Policies/${policyId}`, { enabled: true, alertEnabled: true });
  }

  async search(path: string, body: object = {}): Promise<readonly Row[]> {
    const now = this.#service.clock.now();
    const [startTime, endTime] = [now - hour, now + hour].map((at) => new Date(at).toISOString());
    return (
      (await this.#request('POST', `/${path}/search`, { timeFilter: { startTime, endTime }, ...body })) ?? []
    );
  }

  /** The alerts of a policy, or of all, with their entities. */
  async alerts(policyId?: string): Promise<readonly Row[]> {
    this.#passTime();
    const filters = policyId === undefined ? [] : [{ field: 'policyId', expression: 'eq', value: policyId }];
    const found = await this.search('Alerts', { filters });
    return Promise.all(found.map(({ alertId }) => this.#request('GET', `/Alerts/${alertId}?scope=Details`)));
  }

  /** From now on, what is reported is evaluated without waiting for the interval. Returns the time. */
  passInterval(): number {
    const now = this.#service.clock.now();
    this.#service.clock.advance(evaluationInterval);
    return now;
  }

  /** Those of the policies that were evaluated after the time. */
  async evaluatedSince(time: number): Promise<ReadonlySet<string>> {
    this.#passTime();
    const rows = await this.#service.store.read.selectFrom('evaluations').selectAll().execute();
    return new Set(rows.filter((row) => (row.started_at ?? 0) > time).map((row) => row.policy_id));
  }

  stop(): Promise<void> {
    return this.#service.stop();
  }

  /** Evaluations wait for the end of a report, by the clock of the service. */
  #passTime(): void {
    this.#service.clock.advance(5_000);
  }

  async #request(method: string, path: string, body?: unknown): Promise<ReturnType<typeof JSON.parse>> {
    const answer = await this.#service.request(method, `/api/v2${path}`, { token: this.#token, body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body?.data;
  }
}
