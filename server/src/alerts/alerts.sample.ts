import type { ControlStore } from '../control/store.ts';
import type { Clock } from '../platform/clock.ts';
import { Alerts } from './alerts.ts';
import type { Finding, Violation } from './finding.ts';
import { Routing } from './routing.ts';

export const hour = 3_600_000;

/** Alerts as the service constructs them, with channels that do not follow the status of alerts. */
export function sampleAlerts(store: ControlStore, clock: Clock): Alerts {
  const router = new Routing({
    ...{ clock, address: () => 'http://localhost', announcementWindow: 300_000 },
    follows: async () => false,
  });
  return new Alerts({ store, clock, router });
}

/** A bucket that violates a policy. */
export function sampleViolation(name: string, rest: Partial<Violation> = {}): Violation {
  const arn = `arn:aws:s3:::${name}`;
  return {
    ...{ key: arn, name },
    entities: [{ kind: 'Resource', key: { name: 's3:bucket', value: arn }, props: { region: 'eu-west-1' } }],
    row: { RESOURCE_KEY: arn, ACCOUNT_ID: '123456789012', RESOURCE_REGION: 'eu-west-1', RESOURCE_ID: name },
    ...rest,
  };
}

/** The finding of one evaluation. */
export function sampleFinding(ownerId: string, at: number, rest: Partial<Finding> = {}): Finding {
  const listed = rest.listed ?? [sampleViolation('logs')];
  return {
    ...{ ownerId, policyId: 'lacework-global-34', limit: 1_000, severity: 'High' },
    ...{ alertName: 'Bucket is public', alertType: 'NewViolations', subject: 'logs is public' },
    ...{
      description: 'Anyone can read it.',
      remediation: '1. Block public access.',
      category: 'Policy',
      subCategory: 'Compliance',
      source: 'AWS',
    },
    alertSpec: { alertProfile: 'LW_CFG_AWS_DEFAULT_PROFILE', name: 'CFG_AWS_Violation' },
    ...{ windowStart: Math.floor(at / hour) * hour, listed, total: listed.length },
    ...rest,
  };
}
