import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Simulation } from '../../simulate/simulation.ts';
import type { TelemetryDataset } from '../../telemetry/dataset.ts';
import { type OpenedCaseStore, openCaseStore } from '../../testing/case-store.ts';
import { violationsOf } from './case-runner.ts';
import { Pack, shippedPacks } from './pack.ts';

/** Expected alerts of one day's incidents; some incidents violate several policies. */
const daily: Record<string, number> = {
  'aws/cloudtrail/logging-stopped': 1,
  'aws/ec2/security-group-opened': 1,
  'aws/iam/console-login-without-mfa': 1,
  'aws/iam/root-account-used': 1,
  'gcp/iam/owner-granted': 1,
  'host/container/privileged': 1,
  'host/file/system-binary-changed': 1,
  'host/login/root-login': 1,
  'host/login/ssh-from-public-address': 1,
  'host/network/mining-pool-lookup': 1,
  'host/process/crypto-miner': 1,
  'host/process/hidden-program': 1,
  'k8s/audit/escape-by-exec': 1,
};

const request = { account: 'A', form: 'lines', idempotencyKey: undefined } as const;

/** The documentation promises no alerts on ordinary days. */
describe('the enabled policies over simulated days', async () => {
  const pack = await Pack.load(shippedPacks());
  let place: OpenedCaseStore;
  beforeAll(async () => {
    place = await openCaseStore();
    const linesByDataset = new Map<TelemetryDataset, string[]>();
    for (const { dataset, records } of new Simulation({ hosts: 12, seed: 7 }).portions(place.range.end, 1)) {
      const lines = linesByDataset.get(dataset) ?? [];
      for (const record of records()) lines.push(JSON.stringify(record));
      linesByDataset.set(dataset, lines);
    }
    for (const [dataset, lines] of linesByDataset)
      for (let from = 0; from < lines.length; from += 5_000) {
        const body = lines.slice(from, from + 5_000).join('\n');
        await place.telemetry.intake.ingest({ ...request, dataset, body });
      }
  });
  afterAll(() => place.close());

  test('find the planted incidents and nothing else', async () => {
    const enabled = pack.policies.filter(({ policyType, enabled }) => policyType === 'Violation' && enabled);
    const counts: [string, number][] = [];
    for (const { folder, queryId = '' } of enabled) {
      const violations = await violationsOf(place, 'A', pack.query(queryId)?.text ?? '');
      if (violations.size > 0) counts.push([folder, violations.size]);
    }
    expect(enabled.length).toBeGreaterThan(40);
    expect(Object.fromEntries(counts)).toEqual(daily);
  });
});
