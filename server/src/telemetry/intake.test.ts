import { expect, test } from 'vitest';
import { ManualClock } from '../testing/clock.ts';
import { dnss } from './datasets/DNSs.ts';
import { Intake } from './intake.ts';

const record = (rest: string) =>
  `{"createdTime":"2026-03-01T12:00:00Z","mid":1,"fqdn":"a","hostIpAddr":"b","ttl":1,"dnsServerIp":"c"${rest}}`;

test('validating large records yields to other work', async () => {
  const intake = new Intake(
    { store: async ({ records }) => ({ records: records.length, isRepeat: false }) },
    new ManualClock(),
  );
  const body = Array.from({ length: 50 }, () => record(`,"x":"${'y'.repeat(150_000)}"`)).join('\n');
  let ticks = 0;
  const count = () => {
    ticks++;
    if (ticks < 1_000) setImmediate(count);
  };
  setImmediate(count);
  const request = { account: 'a', dataset: dnss, form: 'lines', body, idempotencyKey: undefined } as const;
  expect(await intake.ingest(request)).toEqual({ records: 50, isRepeat: false });
  expect(ticks).toBeGreaterThanOrEqual(40);
});
