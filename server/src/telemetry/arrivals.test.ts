import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestTelemetry } from '../testing/telemetry.ts';
import { commandLines } from './datasets/CommandLines.ts';
import { dnss } from './datasets/DNSs.ts';
import { processes } from './datasets/Processes.ts';
import { users } from './datasets/Users.ts';

const hour = 3_600_000;

let fixture: TestTelemetry;
let begin: number;
beforeEach(async () => {
  fixture = await TestTelemetry.start();
  begin = fixture.clock.now();
});
afterEach(() => fixture.stop());

const iso = (instant: number) => new Date(instant).toISOString();
const lookup = (fqdn: string, instant = begin, rest: object = {}) => ({
  ...{ createdTime: iso(instant), mid: 1, fqdn, hostIpAddr: '192.0.2.1', ttl: 60, dnsServerIp: '192.0.2.53' },
  ...rest,
});

/** The chunks of an hour, each as its lines. */
async function chunks({ account = 'A', path = dnss.path, start = begin } = {}) {
  const range = { start, end: start + hour };
  const result: { lines: string[]; bytes: number }[] = [];
  for await (const { text, records } of fixture.telemetry.arrivals({ account, path, range })) {
    const lines = Buffer.from(text).toString().split('\n');
    expect(lines.pop()).toBe('');
    expect(records).toBe(lines.length);
    result.push({ lines, bytes: text.length });
  }
  return result;
}

const names = async (options: Parameters<typeof chunks>[0] = {}) =>
  (await chunks(options)).flatMap(({ lines }) => lines.map((line) => JSON.parse(line).fqdn as string));

test('an hour contains the records that arrived in it, whatever their timestamps, in order of arrival', async () => {
  expect(await chunks()).toEqual([]);
  fixture.clock.advance(-1);
  await fixture.take(dnss, 'A', [lookup('before')]);
  fixture.clock.advance(1);
  await fixture.take(dnss, 'A', [lookup('first'), lookup('late', begin - 30 * 24 * hour)]);
  await fixture.take(dnss, 'B', [lookup('of another')]);
  fixture.clock.advance(hour - 1);
  await fixture.take(dnss, 'A', [lookup('last')]);
  fixture.clock.advance(1);
  await fixture.take(dnss, 'A', [lookup('after')]);
  const expected = ['first', 'late', 'last'];
  expect(await names()).toEqual(expected);
  expect(await names({ start: begin - hour })).toEqual(['before']);
  expect(await names({ start: begin + hour })).toEqual(['after']);
  expect(await names({ account: 'B' })).toEqual(['of another']);
  expect(await names({ path: users.path })).toEqual([]);
  await fixture.restart();
  expect(await names()).toEqual(expected);
  fixture.clock.advance(30 * 24 * hour);
  await fixture.take(dnss, 'A', [lookup('much later', fixture.clock.now())]);
  await fixture.telemetry.compact();
  expect(await names()).toEqual(expected);
});

test('a record is one unchanged line, with exact numbers', async () => {
  const record = `{"createdTime":"${iso(begin)}",\n"mid":9223372036854775807,\r\n "fqdn":"a\\nb\\u2028","hostIpAddr":"192.0.2.1","ttl":60,"share":1.50,"dnsServerIp":"192.0.2.53"}`;
  const request = { account: 'A', dataset: dnss, form: 'array', idempotencyKey: undefined } as const;
  await fixture.telemetry.intake.ingest({ ...request, body: `[${record},\n${record}]` });
  const line = record.replaceAll(/[\r\n]/g, ' ');
  expect((await chunks()).map(({ lines }) => lines)).toEqual([[line, line]]);
});

test('derived records belong to the hour in which their sources arrived', async () => {
  const window = { startTime: iso(begin), endTime: iso(begin + hour) };
  const process = {
    ...window,
    ...{ mid: 1, pid: 7, ppid: 1, pidHash: 5, cmdlineHash: 'c', cmdline: 'sleep 5', filePath: '/bin/sleep' },
    ...{ uid: 0, username: 'root', processStartTime: iso(begin) },
  };
  await fixture.take(processes, 'A', [process]);
  const [chunk] = await chunks({ path: commandLines.path });
  expect(chunk?.lines.map((line) => JSON.parse(line).cmdline)).toEqual(['sleep 5']);
});

test('a large hour is read in chunks of some megabytes, repeatably, despite concurrent writes', async () => {
  const long = 'x'.repeat(4_000);
  for (let batch = 0; batch < 12; batch++) {
    const records = Array.from({ length: 500 }, (_, index) => lookup(`${batch}-${index}`, begin, { long }));
    await fixture.take(dnss, 'A', records);
  }
  const all = await chunks();
  expect(all.length).toBe(2);
  for (const { bytes } of all) expect(bytes).toBeLessThanOrEqual(16 * 1024 * 1024);
  expect(all.flatMap(({ lines }) => lines).length).toBe(6_000);
  expect(new Set(all.flatMap(({ lines }) => lines)).size).toBe(6_000);
  fixture.clock.advance(hour);
  const [again] = await Promise.all([chunks(), fixture.take(dnss, 'A', [lookup('more')])]);
  expect(again).toEqual(all);
});
