import { afterAll, beforeAll, expect, test } from 'vitest';
import { datasets } from '../../telemetry/datasets.ts';
import { TestAgent } from '../../testing/agent.ts';
import { bucketData, TestBucket } from '../../testing/bucket.ts';
import { TestService } from '../../testing/service.ts';
import { awsSecrets } from '../../testing/transports.ts';

const hour = 3_600_000;
const environment = {
  AWS_ACCESS_KEY_ID: 'AKIAOURSELVES',
  AWS_SECRET_ACCESS_KEY: awsSecrets.AKIAOURSELVES,
  AWS_ENDPOINT_URL: '',
};
const before = { ...process.env };

let bucket: TestBucket;
let service: TestService;
beforeAll(async () => {
  bucket = await TestBucket.start();
  Object.assign(process.env, environment, { AWS_ENDPOINT_URL: bucket.url });
  service = await TestService.start({ VEDETTE_ALLOW_PRIVATE_TARGETS: 'true' });
});
afterAll(async () => {
  await service.stop();
  await bucket.close();
  for (const name of Object.keys(environment)) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
});

test('a rule exports each hour of each dataset to its bucket', async () => {
  const token = await service.token();
  const post = async (path: string, body: object) => {
    const response = await service.request('POST', `/api/v2/${path}`, { token, body });
    expect(response.status, response.text).toBe(201);
    return response.body.data;
  };
  const channel = { name: 'lake', type: 'AwsS3', enabled: 1, data: bucketData };
  const { intgGuid } = await post('AlertChannels', channel);
  const filters = { name: 'everything', enabled: 1 };
  await post('DataExportRules', { type: 'Dataexport', filters, intgGuidList: [intgGuid] });
  const agent = await TestAgent.of(service);
  expect((await agent.send([agent.lookup(1), agent.lookup(2)])).status).toBeLessThan(300);

  const planned = service.store.read.selectFrom('exports').select('dataset');
  await expect.poll(() => planned.execute()).toHaveLength(datasets.length);
  service.clock.advance(hour + 60_000);
  const keys = () => [...bucket.objects.keys()].sort();
  await expect.poll(() => keys().filter((key) => key.endsWith('.json'))).toHaveLength(datasets.length);
  const [data, ...others] = keys().filter((key) => key.endsWith('.gz'));
  expect(others).toEqual([]);
  expect(data).toMatch(
    /^some\/where\/vedette\/v1\/data\/account=local\/dataset=Activities\.DNSs\/date=2026-03-01\/hour=12\/[\w-]+-00000\.ndjson\.gz$/,
  );
  expect(bucket.lines(String(data)).map((line) => JSON.parse(line).mid)).toEqual([1, 2]);
  const metrics = () => service.request('GET', '/metrics').then(({ text }) => text);
  await expect.poll(metrics).toContain(`vedette_exports{state="written"} ${datasets.length}\n`);
  const later = await service.token();
  const { body } = await service.request('GET', `/api/v2/AlertChannels/${intgGuid}`, { token: later });
  expect(body.data.state).toMatchObject({ ok: true });
});
