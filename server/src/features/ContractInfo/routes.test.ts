import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

describe('GET ContractInfo', () => {
  test('returns the creation time of the account and the data retention', async () => {
    const token = await service.token();
    const { body } = await service.request('GET', '/api/v2/ContractInfo', { token });
    expect(body.data).toEqual([
      {
        objName: 'Vedette local',
        props: { contractStartUtc: '2026-03-01T12:00:00.000Z', dataRetentionInDay: 90 },
      },
    ]);
    const organization = await service.request('GET', '/api/v2/ContractInfo', {
      token,
      headers: { 'Org-Access': 'true' },
    });
    expect(organization.body.data).toHaveLength(1);
  });
});
