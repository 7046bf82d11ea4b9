import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RateLeases } from '../../control/rate-leases.ts';
import { ControlStore } from '../../control/store.ts';
import { ManualClock } from '../../testing/clock.ts';
import { createTestPlace, type TestPlace } from '../../testing/database.ts';
import { TestService } from '../../testing/service.ts';
import { SharedLimiter } from './limiter.ts';
import { hour } from './sliding-window.ts';

describe('rate limits over HTTP', () => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await TestService.start({ VEDETTE_RATE_LIMIT: '3' });
    token = await service.token();
  });
  afterAll(() => service.stop());

  const rateHeaders = ({ headers }: { headers: Headers }) =>
    ['Limit', 'Remaining', 'Reset'].map((name) => Number(headers.get(`RateLimit-${name}`)));

  test('list and get by id share a bucket; other functionalities and users have separate ones', async () => {
    const get = (path: string) => service.request('GET', path, { token });
    expect(rateHeaders(await get('/api/v2/schemas'))).toEqual([3, 2, 0]);
    expect(rateHeaders(await get('/api/v2/schemas/AuditLogs'))).toEqual([3, 1, 0]);
    const last = await get('/api/v2/schemas/AuditLogs/x');
    expect([last.status, rateHeaders(last)[1]]).toEqual([404, 0]);
    const rejected = await get('/api/v2/schemas');
    expect([rejected.status, rejected.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(rejected.body.message).toContain('3 requests per hour');
    expect(rejected.headers.get('retry-after')).toBeNull();
    expect(rateHeaders(rejected)[2]).toBeGreaterThan(3590);
    expect((await get('/api/v2/AuditLogs')).status).toBe(200);
    expect((await service.request('POST', '/api/v2/AuditLogs/search', { token })).status).toBe(200);
    const other = await service.token(await service.member('other@example.com', 'orgAdmin'));
    expect((await service.request('GET', '/api/v2/schemas', { token: other })).status).toBe(200);
  });

  test('a token returns one hour after it was taken', async () => {
    service.clock.advance(hour - 1);
    const fresh = await service.token();
    service.clock.advance(1);
    // The shared buckets of a cluster hold a token for as long as a lease may use it.
    service.clock.advance(10_000);
    expect((await service.request('GET', '/api/v2/schemas', { token: fresh })).status).toBe(200);
  });

  test('a key with its own limit has its own buckets', async () => {
    await service.users.grant('third@example.com', 'orgAdmin');
    const own = await service.token(await service.keys.create('third@example.com', { rateLimit: 50 }));
    expect(rateHeaders(await service.request('GET', '/api/v2/UserProfile', { token: own }))).toEqual([
      50, 49, 0,
    ]);
  });

  test('unauthenticated requests count against the address, also for unknown paths', async () => {
    for (const remaining of [2, 1, 0]) {
      const response = await service.request('GET', '/api/v2/UserProfile', { token: 'wrong' });
      expect([response.status, rateHeaders(response)[1]]).toEqual([401, remaining]);
    }
    expect((await service.request('GET', '/api/v2/UserProfile')).status).toBe(429);
    for (const status of [404, 404, 404, 429])
      expect((await service.request('GET', '/nowhere')).status).toBe(status);
  });

  test('frequent requests of clients and monitors are not counted', async () => {
    const fresh = await service
      .token(await service.member('fourth@example.com', 'orgAdmin'))
      .catch(() => undefined);
    for (let count = 0; count < 5; count++) {
      expect(rateHeaders(await service.request('GET', '/healthz'))).toEqual([3, 3, 0]);
      if (fresh)
        expect(
          (await service.request('POST', '/api/v2/telemetry/OtelMetrics', { token: fresh })).status,
        ).toBe(204);
    }
  });

  test('off disables the limit and keeps the headers', async () => {
    const unlimited = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
    const [limit, remaining, reset] = rateHeaders(
      await unlimited.request('GET', '/api/v2/UserProfile', { token: await unlimited.token() }),
    );
    expect(limit).toBe(2_147_483_647);
    expect([remaining, reset]).toEqual([limit, 0]);
    await unlimited.stop();
  });
});

describe('buckets shared by several nodes', () => {
  let place: TestPlace;
  let store: ControlStore;
  const clock = new ManualClock();
  beforeAll(async () => {
    place = await createTestPlace();
    store = await ControlStore.open(place.controlUrl, clock);
  });
  afterAll(async () => {
    await store.close();
    await place.remove();
  });

  const newLimiter = () => new SharedLimiter(clock, new RateLeases(store, clock));

  test('never exceed the limit in a rolling hour, whichever nodes are used', async () => {
    const steps = fc.array(
      fc.tuple(fc.nat({ max: 2 }), fc.oneof(fc.nat({ max: 3_000 }), fc.nat({ max: hour / 3 }))),
      { maxLength: 120 },
    );
    let bucket = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 70 }), steps, async (limit, requests) => {
        const nodes = [newLimiter(), newLimiter(), newLimiter()];
        const name = `bucket ${++bucket}`;
        const taken: number[] = [];
        for (const [node, step] of requests) {
          clock.advance(step);
          const { allowed } = await (nodes[node] as SharedLimiter).take('GET /x', name, limit);
          if (allowed) taken.push(clock.now());
        }
        for (const start of taken) {
          expect(taken.filter((time) => time >= start && time < start + hour).length).toBeLessThanOrEqual(
            limit,
          );
        }
      }),
      { numRuns: 25 },
    );
  });

  test('grant one node the whole limit, without a write for each request', async () => {
    const node = newLimiter();
    let allowed = 0;
    for (let count = 0; count < 500; count++)
      if ((await node.take('GET /x', 'alone', 480)).allowed) allowed++;
    expect(allowed).toBe(480);
    const takes = await store.read
      .selectFrom('rate_takes')
      .select('id')
      .where('bucket', '=', 'alone GET /x')
      .execute();
    expect(takes.length).toBeLessThan(480 / 4);
  });

  test('return the tokens that a node leased and did not use', async () => {
    const [first, second] = [newLimiter(), newLimiter()];
    await first.take('GET /x', 'returned', 480);
    clock.advance(11_000);
    await first.take('GET /x', 'returned', 480);
    clock.advance(11_000);
    await first.take('GET /x', 'returned', 480);
    const { remaining } = await second.take('GET /x', 'returned', 480);
    expect(remaining).toBeGreaterThan(480 - 2 * 15 - 4);
  });

  test('count concurrent requests one by one', async () => {
    const node = newLimiter();
    const decisions = await Promise.all(
      Array.from({ length: 30 }, () => node.take('GET /x', 'together', 20)),
    );
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(20);
  });
});
