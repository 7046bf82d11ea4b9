import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestAgent } from '../../testing/agent.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

test('an event that violates a built-in policy becomes an alert in the API within seconds', async () => {
  const token = await service.token();
  const agent = await TestAgent.of(service);
  const event = {
    eventTime: new Date(service.clock.now() - 1_000).toISOString(),
    eventID: 'e-1',
    eventName: 'StopLogging',
    eventSource: 'cloudtrail.amazonaws.com',
    awsRegion: 'eu-central-1',
    recipientAccountId: '123456789012',
    userIdentity: { type: 'IAMUser', userName: 'eve', accountId: '123456789012' },
  };
  await agent.send([JSON.stringify(event)], { path: 'CloudTrailRawEvents' });
  const find = async () => {
    // Searches end at the current time.
    service.clock.advance(1_000);
    const { body } = await service.request('POST', '/api/v2/Alerts/search', {
      token,
      body: { filters: [{ field: 'alertType', expression: 'eq', value: 'CloudTrailDefaultAlert' }] },
    });
    return body?.data ?? [];
  };
  await expect.poll(async () => (await find()).length).toBe(1);
  const [alert] = await find();
  expect(alert).toMatchObject({
    ...{ alertId: 1, status: 'Open', derivedFields: { category: 'Policy', source: 'AWS' } },
  });
  const scoped = async (scope: string) =>
    (await service.request('GET', `/api/v2/Alerts/1?scope=${scope}`, { token })).body.data;
  expect((await scoped('Details')).entityMap.CT_User[0].KEY.username).toBe('eve');
  await expect
    .poll(() => scoped('Events'))
    .toEqual([expect.objectContaining({ eventName: 'StopLogging', awsRegion: 'eu-central-1' })]);
  const { text } = await service.request('GET', '/metrics');
  expect(text).toMatch(/vedette_evaluations\{state="policies"\} [1-9]/);
  expect(text).toContain('vedette_evaluations{state="failing"} 0');
  expect(text).toContain('vedette_evaluations{state="overdue"} 0');
  expect(text).toMatch(/vedette_evaluation_last_seconds 0\.\d/);
});
