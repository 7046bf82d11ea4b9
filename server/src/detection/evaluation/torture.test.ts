import { randomInt, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KeyFile, readKeyFile } from '../../identity/bootstrap.ts';
import { createTestPlace, type TestPlace } from '../../testing/database.ts';
import { ServerProcess } from '../../testing/process.ts';

const rounds = Number(process.env.VEDETTE_TORTURE_ROUNDS ?? 6);
/** Much shorter than a lease: after a kill, evaluations must not wait for leases to expire. */
const patience = 240_000;
const evaluationSeconds = 1_200;
const hour = 3_600_000;

let place: TestPlace;
let server: ServerProcess | undefined;
beforeAll(async () => {
  place = await createTestPlace();
});
afterAll(async () => {
  await server?.kill();
  await place.remove();
});

/** A policy, its progress and its record. Retries send the same batch, so its timestamp stays. */
interface Work {
  readonly name: string;
  step: number;
  reportedAt?: number;
}

/** Names of policies whose record was acknowledged, and of those in progress. */
const promised = new Set<string>();
const begun: Work[] = [];
let policies = 0;

test(
  `a server killed ${rounds} times during writes, ingest and evaluation raises the alert of every policy`,
  async () => {
    for (let round = 0; round < rounds; round++) await workUntilKilled();
    const site = await Site.launch();
    for (const work of begun) await perform(site, work);
    const missing = async () => {
      const alerted = await site.alerts();
      return [...promised].filter((name) => !alerted.has(name));
    };
    await expect.poll(missing, { timeout: patience, interval: 500 }).toEqual([]);
    expect(promised.size).toBeGreaterThan(rounds);
  },
  120_000 + patience + rounds * 20_000,
);

async function workUntilKilled(): Promise<void> {
  const site = await Site.launch();
  const enough = 1 + randomInt(25);
  let count = 0;
  let killing: Promise<unknown> | undefined;
  const client = async () => {
    for (;;) {
      const work: Work = begun.shift() ?? { name: `torture-${policies++}`, step: 0 };
      try {
        await perform(site, work, () => {
          if (++count === enough) killing = setTimeout(randomInt(1_500)).then(() => server?.kill('SIGKILL'));
        });
      } catch (error) {
        begun.push(work);
        if (error instanceof TypeError) return;
        throw error;
      }
    }
  };
  await Promise.all([client(), client()]);
  await killing;
}

/** Creates a query, its policy and then a violating record, retrying each until it is acknowledged. */
async function perform(site: Site, work: Work, acknowledged = () => {}): Promise<void> {
  const { name } = work;
  const steps = [
    () =>
      site.make('/api/v2/Queries', {
        queryId: `Q_${name}`,
        queryText: `{ source { CloudTrailRawEvents } filter { EVENT_NAME = '${name}' } return { INSERT_ID, EVENT } }`,
      }),
    () =>
      site.make('/api/v2/Policies', {
        ...{ policyId: `$account-${name}`, policyType: 'Violation', queryId: `Q_${name}`, title: name },
        ...{ severity: 'high', description: name, remediation: name, enabled: true, alertEnabled: true },
      }),
    () => {
      work.reportedAt ??= Date.now();
      return site.report(name, work.reportedAt);
    },
  ];
  for (; work.step < steps.length; work.step++) {
    await steps[work.step]?.();
    acknowledged();
  }
  promised.add(name);
}

/** HTTP client of the running server. */
class Site {
  readonly #url: string;
  readonly #token: string;
  #agent = '';

  private constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  static async launch(): Promise<Site> {
    server = new ServerProcess(place, {
      environment: { VEDETTE_RATE_LIMIT: 'off', VEDETTE_EVALUATION_TIMEOUT: String(evaluationSeconds) },
    });
    const url = await server.url();
    const { keyId, secret } = readKeyFile(join(place.directory, 'api-key.json')) as KeyFile;
    const reply = await fetch(`${url}/api/v2/access/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-LW-UAKS': secret },
      body: JSON.stringify({ keyId, expiryTime: 86_400 }),
    });
    const site = new Site(url, ((await reply.json()) as { token: string }).token);
    const { status, text } = await site.#send(
      'POST',
      '/api/v2/AgentAccessTokens',
      JSON.stringify({ tokenAlias: randomUUID(), tokenEnabled: 1 }),
    );
    if (status !== 201) throw new Error(`The agent token was answered with ${status}: ${text}`);
    site.#agent = JSON.parse(text).data.accessToken;
    return site;
  }

  /** A request whose response was lost may have succeeded. */
  async make(path: string, body: object): Promise<void> {
    const { status, text } = await this.#send('POST', path, JSON.stringify(body));
    if (status !== 201 && status !== 409) throw new Error(`${path} answered ${status}: ${text}`);
  }

  /** Half of the events are hours old, as with late CloudTrail delivery. */
  async report(name: string, now: number): Promise<void> {
    const at = new Date(now - (/[02468]$/.test(name) ? 0 : 3 * hour)).toISOString();
    const record = { eventTime: at, eventID: name, eventName: name, eventSource: 'cloudtrail.amazonaws.com' };
    const headers = { 'idempotency-key': name, authorization: this.#agent };
    const path = '/ingest/v1/CloudTrailRawEvents';
    const { status, text } = await this.#send('POST', path, JSON.stringify([record]), headers);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  }

  /** Names of the policies that have an alert. */
  async alerts(): Promise<Set<string>> {
    const names = new Set<string>();
    for (let next: string | undefined = '/api/v2/Alerts'; next; ) {
      const { text } = await this.#send('GET', next);
      const page = JSON.parse(text) as {
        data: { alertName: string }[];
        paging?: { urls?: { nextPage?: string | null } };
      };
      for (const { alertName } of page.data) names.add(alertName);
      const address: string | null | undefined = page.paging?.urls?.nextPage;
      next = address ? address.replace(/^https?:\/\/[^/]+/, '') : undefined;
    }
    return names;
  }

  async #send(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
    const reply = await fetch(this.#url + path, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#token}`, ...headers },
      ...(body !== undefined && { body }),
    });
    return { status: reply.status, text: await reply.text() };
  }
}
