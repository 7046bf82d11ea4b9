import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestTelemetry } from '../testing/telemetry.ts';
import { cloudTrailRawEvents } from './datasets/CloudTrailRawEvents.ts';
import { gcpActivity } from './datasets/LW_ACT_GCP_ACTIVITY.ts';

const day = 24 * 3_600_000;

let fixture: TestTelemetry;
let begin: number;
beforeEach(async () => {
  fixture = await TestTelemetry.start();
  begin = fixture.clock.now();
});
afterEach(() => fixture.stop());

const event = (eventID: string, rest: object = {}) => ({
  ...{ eventID, eventTime: new Date(begin).toISOString(), eventName: 'RunInstances' },
  ...{ eventSource: 'ec2.amazonaws.com', ...rest },
});
const entry = (insertId: string, timestamp: string) => ({
  ...{ insertId, timestamp, logName: 'projects/p/logs/cloudaudit.googleapis.com%2Factivity' },
  protoPayload: { methodName: 'SetIamPolicy' },
});

const ingest = (
  records: readonly object[],
  { account = 'A', dataset = cloudTrailRawEvents, key = '' } = {},
) =>
  fixture.telemetry.intake.ingest({
    ...{ account, dataset, form: 'lines', isDistinct: true },
    body: records.map((record) => JSON.stringify(record)).join('\n'),
    idempotencyKey: key || undefined,
  });

async function stored(account = 'A', dataset = cloudTrailRawEvents): Promise<string[]> {
  const range = { start: begin - 400 * day, end: fixture.clock.now() + day };
  const lines: string[] = [];
  for await (const { text } of fixture.telemetry.arrivals({ account, path: dataset.path, range }))
    lines.push(...Buffer.from(text).toString().trimEnd().split('\n'));
  return lines.map((line) => JSON.parse(line).eventID ?? JSON.parse(line).insertId).sort();
}

test('a record is stored once, within a batch, across batches, days and restarts', async () => {
  expect(await ingest([event('1'), event('2'), event('1')])).toEqual({ records: 2, isRepeat: false });
  expect(await ingest([event('2'), event('3')])).toEqual({ records: 1, isRepeat: false });
  expect(await ingest([event('3'), event('2')])).toEqual({ records: 0, isRepeat: true });
  fixture.clock.advance(2 * day);
  await fixture.restart();
  expect(await ingest([event('1')])).toEqual({ records: 0, isRepeat: true });
  expect(await ingest([event('1'), event('4')])).toEqual({ records: 1, isRepeat: false });
  expect(await stored()).toEqual(['1', '2', '3', '4']);
  expect(fixture.telemetry.intake.counts).toMatchObject({ received: 3, stored: 1, repeated: 2 });
});

test('batches that are committed together are compared with each other', async () => {
  const batches = await Promise.all([1, 2, 3].map(() => ingest([event('1'), event('2')])));
  expect(batches.reduce((sum, { records }) => sum + records, 0)).toBe(2);
  expect(await stored()).toEqual(['1', '2']);
});

test('another timestamp, recipient or account makes another record', async () => {
  await ingest([event('1')]);
  await ingest([
    event('1', { eventTime: new Date(begin - 60_000).toISOString() }),
    event('1', { recipientAccountId: '123456789012' }),
  ]);
  await ingest([event('1')], { account: 'B' });
  expect(await stored()).toEqual(['1', '1', '1']);
  expect(await stored('B')).toEqual(['1']);
});

test('fractions of a millisecond do not hide a repeat', async () => {
  const at = new Date(begin).toISOString().slice(0, 19);
  const entries = [entry('1', `${at}.999999900Z`), entry('2', `${at}.000000001Z`)];
  await ingest(entries, { dataset: gcpActivity });
  await ingest(entries, { dataset: gcpActivity });
  expect(await stored('A', gcpActivity)).toEqual(['1', '2']);
});

test('a repeated key is answered as before', async () => {
  const first = await ingest([event('1'), event('2')], { key: 'k' });
  expect(first).toEqual({ records: 2, isRepeat: false });
  expect(await ingest([event('1'), event('2')], { key: 'k' })).toMatchObject({ isRepeat: true });
});
