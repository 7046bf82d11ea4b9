import { expect } from 'vitest';
import { sampleAlerts, sampleFinding } from '../alerts/alerts.sample.ts';
import type { Finding } from '../alerts/finding.ts';
import { TestService } from './service.ts';

/** A service whose alerts are raised directly, without evaluations. */
export class TestAlerts {
  readonly service: TestService;
  readonly token: string;
  readonly ownerId: string;
  #policies = 0;

  private constructor(service: TestService, token: string, ownerId: string) {
    this.service = service;
    this.token = token;
    this.ownerId = ownerId;
  }

  static async start(): Promise<TestAlerts> {
    const service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
    const token = await service.token(service.firstKey, 86_400);
    return new TestAlerts(service, token, await ownerOf(service, 'local'));
  }

  request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    return this.service.request(method, `/api/v2/Alerts${path}`, { token: this.token, body, headers });
  }

  /** Raises an alert, by default of a separate policy; returns its id. */
  async raise(rest: Partial<Finding> = {}, owner = this.ownerId): Promise<number> {
    const { store, clock } = this.service;
    const policyId = `policy ${++this.#policies}`;
    const finding = sampleFinding(owner, clock.now(), { policyId, ...rest });
    return (await store.housekeeping((tx) => sampleAlerts(store, clock).raise(tx, finding))).alertId;
  }

  async show(id: number, scope: string) {
    const { status, body } = await this.request('GET', `/${id}?scope=${scope}`);
    expect([scope, status, body.message]).toEqual([scope, 200, undefined]);
    return body.data;
  }

  ownerOf(name: string): Promise<string> {
    return ownerOf(this.service, name);
  }

  stop(): Promise<void> {
    return this.service.stop();
  }
}

async function ownerOf({ store }: TestService, name: string): Promise<string> {
  const query = store.read.selectFrom('accounts').select('id').where('name', '=', name);
  return (await query.executeTakeFirstOrThrow()).id;
}
