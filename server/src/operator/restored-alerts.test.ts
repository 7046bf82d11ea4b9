import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testDialect } from '../testing/database.ts';
import { requestOperator } from '../testing/operator.ts';
import { Receiver } from '../testing/receiver.ts';
import { TestService } from '../testing/service.ts';

type Dialect = typeof testDialect;

const hour = 3_600_000;
const environment = { VEDETTE_RATE_LIMIT: 'off', VEDETTE_ALLOW_PRIVATE_TARGETS: 'true' };
const crossDatabase: readonly (readonly [from: Dialect, to: Dialect])[] = [
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
  ['postgres', 'postgres'],
];
const directions = testDialect === 'postgres' ? crossDatabase : ([['sqlite', 'sqlite']] as const);

const services: TestService[] = [];
let receiver: Receiver;
beforeEach(async () => {
  receiver = await Receiver.start();
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  await receiver.close();
});

async function start(dialect: Dialect): Promise<TestService> {
  const service = await TestService.start(environment, dialect);
  services.push(service);
  return service;
}

const operator = (service: TestService, path: string, body?: Uint8Array) =>
  requestOperator(service.place.directory, path, body);

/** Actions of a user and an agent, whose keys may come from a restored archive. */
class Client {
  readonly service: TestService;
  readonly #token: string;
  readonly #agent: string;

  private constructor(service: TestService, token: string, agent: string) {
    this.service = service;
    this.#token = token;
    this.#agent = agent;
  }

  static async of(service: TestService, key = service.firstKey): Promise<Client> {
    const token = await service.token(key, 86_400);
    const body = { tokenAlias: `of ${service.url}`, tokenEnabled: 1 };
    const created = await service.request('POST', '/api/v2/AgentAccessTokens', { token, body });
    return new Client(service, token, created.body.data.accessToken);
  }

  async post(path: string, body: object) {
    const response = await this.service.request('POST', path, { token: this.#token, body });
    expect([path, response.status, response.body?.message]).toEqual([path, response.status, undefined]);
    return response.body?.data;
  }

  async report(path: string, record: object): Promise<void> {
    const headers = { authorization: this.#agent };
    const response = await this.service.request('POST', `/ingest/v1/${path}`, { headers, body: [record] });
    expect([response.status, response.body.message]).toEqual([200, undefined]);
  }

  rotateBanner(eventID: string): Promise<void> {
    const eventTime = new Date(this.service.clock.now()).toISOString();
    const event = { eventTime, eventID, eventName: 'RotateBanner', eventSource: 'cloudtrail.amazonaws.com' };
    return this.report('CloudTrailRawEvents', event);
  }

  openBanner(): Promise<void> {
    const createdTime = new Date(this.service.clock.now()).toISOString();
    return this.report('Entities/Files', {
      ...{ createdTime, mid: 1, filePath: '/opt/banner', filedataHash: 'aa', size: 1, mtime: '1' },
      filePermissions: 644,
    });
  }

  async createDetections(): Promise<void> {
    const channel = await this.post('/api/v2/AlertChannels', {
      ...{ name: 'hook', type: 'Webhook', enabled: 1, data: { webhookUrl: receiver.url } },
    });
    await this.post('/api/v2/AlertRules', {
      ...{ type: 'Event', filters: { name: 'all', enabled: 1, severity: [] } },
      intgGuidList: [channel.intgGuid],
    });
    const queries = {
      trail: `{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'RotateBanner' } return { INSERT_ID, EVENT } }`,
      shadow: `{ source { LW_HE_FILES } filter { PATH = '/opt/banner' } return distinct { MID, PATH } }`,
    };
    for (const [name, queryText] of Object.entries(queries)) {
      await this.post('/api/v2/Queries', { queryId: `Q_${name}`, queryText });
      await this.post('/api/v2/Policies', {
        ...{ policyId: `$account-${name}`, policyType: 'Violation', queryId: `Q_${name}`, title: name },
        ...{ description: name, remediation: name, severity: 'high', enabled: true, alertEnabled: true },
      });
    }
  }

  alerts() {
    const query = this.service.store.read.selectFrom('alerts').select(['id', 'alert_name', 'status']);
    return query.where('alert_name', 'in', ['trail', 'shadow']).orderBy('id').execute();
  }

  /**
   * The number of alerts a second later. A stream pauses by how long its last evaluation took, during which the clock may
   * have advanced.
   */
  async alertsLater(): Promise<number> {
    this.service.clock.advance(1_000);
    return (await this.alerts()).length;
  }

  async metric(state: string): Promise<number> {
    const { text } = await this.service.request('GET', '/metrics');
    return Number(new RegExp(`vedette_deliveries\\{state="${state}"\\} (\\d+)`).exec(text)?.[1]);
  }

  /** Resolves when every policy on this telemetry has been evaluated after this call. */
  async waitForEvaluation(): Promise<void> {
    const since = this.service.clock.now();
    const isEvaluated = async () => {
      const rows = await this.service.store.read.selectFrom('evaluations').selectAll().execute();
      const states = rows.filter(({ policy_id }) => policy_id.endsWith('-shadow'));
      return states.length === 1 && states.every(({ finished_at }) => (finished_at ?? 0) >= since);
    };
    await expect.poll(isEvaluated).toBe(true);
  }
}

const occasions = () => receiver.received.map(({ body }) => JSON.parse(body).occasion);

describe.each(directions)('alerts restored from %s to %s', (from, to) => {
  test('are not raised again, and new messages are held until the operator releases them', async () => {
    const source = await Client.of(await start(from));
    await source.createDetections();
    await source.rotateBanner('1');
    await source.openBanner();
    // The state may have been evaluated before its record arrived.
    source.service.clock.advance(hour);
    await expect.poll(() => source.alertsLater()).toBe(2);
    await expect.poll(() => source.metric('delivered')).toBe(2);
    for (const { id } of await source.alerts())
      await source.post(`/api/v2/Alerts/${id}/close`, { reason: 1 });
    await expect.poll(() => source.metric('delivered')).toBe(4);
    const before = await source.alerts();
    expect(before.map(({ status }) => status)).toEqual(['Closed', 'Closed']);
    const archive = (await operator(source.service, '/backup?with-key')).bytes;
    const key = source.service.firstKey;

    const service = await start(to);
    service.clock.advance(hour + 60_000);
    const { status, body } = await operator(service, '/restore', archive);
    expect([status, body.held]).toEqual([200, true]);
    const target = await Client.of(service, key);
    service.clock.advance(hour);
    await target.waitForEvaluation();
    await target.rotateBanner('2');
    await expect.poll(() => target.alertsLater()).toBe(3);
    expect((await target.alerts()).slice(0, 2)).toEqual(before);
    service.clock.advance(hour);
    await target.waitForEvaluation();
    await service.restart();
    await target.waitForEvaluation();
    expect(await target.alerts()).toHaveLength(3);
    expect(await target.metric('held')).toBe(1);
    expect(occasions()).toEqual(['opened', 'opened', 'closed', 'closed']);
    const released = await operator(service, '/deliveries/release');
    expect(released.body).toEqual({ released: 1 });
    await expect.poll(() => occasions()).toHaveLength(5);
    const [last] = receiver.received.slice(-1);
    expect(JSON.parse(last?.body ?? '').alert).toMatchObject({ alertId: 3, alertName: 'trail' });
    expect((await operator(service, '/deliveries/release')).body).toEqual({ released: null });
  }, 120_000);
});
