import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { reach } from '../search/path.ts';
import { datasets } from '../telemetry/datasets.ts';
import { checkRecord } from '../telemetry/ingest-form.ts';
import { stepsOf } from '../telemetry/member-tree.ts';
import { columnsOf } from '../telemetry/query-column.ts';
import { Simulation } from './simulation.ts';
import { connectionsOf } from './streams/connections.ts';

const end = Date.parse('2026-03-02T10:00:00.000Z');

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever members it expects
type Records = Map<string, any[]>;

/** All records of a company, as sent. */
function reported(size: { hosts: number; seed: number }, days: number, until = end): Records {
  const records: Records = new Map(datasets.map(({ path }) => [path, []]));
  for (const portion of new Simulation(size).portions(until, days))
    for (const record of portion.records())
      records.get(portion.dataset.path)?.push(JSON.parse(JSON.stringify(record)));
  return records;
}

const digest = (records: Records) =>
  createHash('sha256')
    .update(JSON.stringify([...records]))
    .digest('hex');

const company = reported({ hosts: 5, seed: 7 }, 2);
const of = (path: string) => company.get(path) ?? [];
const has = (path: string) => (record: unknown) => reach(record, stepsOf(path)) !== undefined;
const all = (path: string, member: string) => new Set(of(path).map((record) => record[member]));

/** The company has no Windows hosts, and derived records are not sent. */
const unsent = new Set(['LW_HA_WIN_REGISTRY', 'Entities/CommandLines']);
const sent = datasets.filter(({ path }) => !unsent.has(path));
/** Columns that the simulated hosts do not fill, and one of unknown meaning. */
const empty = [
  'LW_HE_ACCESS_SSH_AUTHORIZED_KEYS.CONTAINER_KEY',
  'LW_HE_PACKAGES.CAA',
  'LW_HE_SECRETS_SSH_PRIVATE_KEYS.CONTAINER_KEY',
];

describe('a simulated company', () => {
  test.each(sent.map((dataset) => [dataset.path, dataset] as const))(
    'reports valid records of %s',
    (path, dataset) => {
      expect(of(path).length).toBeGreaterThan(0);
      for (const [index, record] of of(path).entries()) checkRecord(dataset, record, index);
    },
  );

  test('reports nothing else, and fills every column of the datasources', () => {
    for (const path of unsent) expect(of(path)).toEqual([]);
    const unfilled = sent.flatMap((dataset) =>
      dataset.datasources.flatMap((datasource) => {
        const rows = of(dataset.path).filter((record) =>
          (datasource.where ?? []).every(({ member, is = record[member] }) => is && record[member] === is),
        );
        return columnsOf(dataset, datasource)
          .filter(({ reads }) => reads.length > 0 && !reads.some(({ path }) => rows.some(has(path))))
          .map(({ name }) => `${datasource.name}.${name}`);
      }),
    );
    expect(unfilled.sort()).toEqual(empty);
  });

  test.each(sent.map((dataset) => [dataset.path, dataset] as const))(
    'reports unique identities in %s, within the simulated days',
    (path, { identity, range, search }) => {
      const member = range.by === 'instant' ? range.member : 'startTime';
      const times = of(path).map((record) => Date.parse(record[member]));
      expect(Math.min(...times)).toBeGreaterThanOrEqual(end - 2 * 86_400_000);
      expect(Math.max(...times)).toBeLessThan(end);
      const keys = of(path).map((record) =>
        JSON.stringify([record[member], ...identity.map((name) => record[name])]),
      );
      if (search?.newestPer === undefined) expect(new Set(keys).size).toBe(keys.length);
    },
  );

  test('is deterministic by seed', () => {
    expect(digest(reported({ hosts: 5, seed: 7 }, 2))).toBe(digest(company));
    expect(digest(reported({ hosts: 5, seed: 8 }, 2))).not.toBe(digest(company));
  });

  test('continues where an earlier simulation ended', () => {
    const later = reported({ hosts: 5, seed: 7 }, 2, end + 3_600_000);
    const ofHour = (records: Records, hour: string) =>
      (records.get('Activities/Connections') ?? []).filter(({ startTime }) => startTime === hour);
    expect(ofHour(later, '2026-03-02T09:00:00.000Z')).toEqual(ofHour(company, '2026-03-02T09:00:00.000Z'));
    expect(ofHour(later, '2026-03-02T10:00:00.000Z').length).toBeGreaterThan(0);
  });

  test('has five hosts, and no record is about any other', () => {
    const machines = all('Entities/Machines', 'mid');
    expect(machines.size).toBe(5);
    for (const [path, records] of company)
      for (const record of records)
        if (record.mid !== undefined) expect(machines, path).toContain(record.mid);
    for (const { srcEntityId, dstEntityId } of of('Activities/Connections'))
      for (const { mid } of [srcEntityId, dstEntityId]) if (mid) expect(machines).toContain(mid);
  });

  test.each([
    ['Entities/Containers', 'imageId', 'Entities/Images', 'imageId'],
    ['Entities/K8sPods', 'podName', 'Entities/Containers', 'podName'],
    ['Activities/ChangedFiles', 'filedataHash', 'Entities/NewFileHashes', 'filedataHash'],
    ['Activities/UserLogins', 'uid', 'Entities/Users', 'uid'],
    ['Events', 'id', 'CloudActivities', 'eventId'],
  ])('joins %s by %s with %s', (path, member, other, otherMember) => {
    expect([...all(path, member)].filter((value) => !all(other, otherMember).has(value))).toEqual([]);
  });

  test('has connections between running processes', () => {
    const running = new Set(of('Entities/Processes').map(({ mid, pidHash }) => `${mid} ${pidHash}`));
    for (const { srcEntityType, srcEntityId } of of('Activities/Connections'))
      if (srcEntityType === 'Process')
        expect(running).toContain(`${srcEntityId.mid} ${srcEntityId.pid_hash}`);
  });
});

/** The dataset of each incident, and a pattern that distinguishes it. */
const incidents: Record<string, [string, RegExp]> = {
  'login as root from a public address': [
    'Activities/UserLogins',
    /"LOGIN".*"username":"root".*"203\.0\.113\./,
  ],
  'console login of the root user': ['CloudTrailRawEvents', /"type":"Root".*"ConsoleLogin".*"MFAUsed":"No"/],
  'use of the root user': ['CloudActivities', /"UsageOfRootAccount"/],
  'evidence of that': ['Events', /"UsageOfRootAccount".*"ConsoleLogin"/],
  'crypto-miner': ['Entities/Processes', /xmrig/],
  'start of the miner': ['LW_HA_SYSCALLS_EXEC', /xmrig/],
  'lookup of the pool': ['Activities/DNSs', /pool\.mining\.example/],
  'connection to the pool': ['Activities/Connections', /"port":3333/],
  'changed system binary': ['Activities/ChangedFiles', /"\/usr\/bin\/sudo"/],
  'write to the binary': ['LW_HA_SYSCALLS_FILE', /"\/usr\/bin\/sudo"/],
  'privileged container': ['Entities/Containers', /"PRIVILEGED":1/],
  'command in its pod': ['LW_ACT_K8S_AUDIT', /"subresource":"exec"/],
  'opened security group': ['CloudTrailRawEvents', /AuthorizeSecurityGroupIngress.*0\.0\.0\.0\/0/],
  'stopped trail': ['CloudTrailRawEvents', /StopLogging/],
  'foreign owner': ['LW_ACT_GCP_ACTIVITY', /SetIamPolicy.*roles\/owner/],
};

describe('on every day', () => {
  test.each(Object.entries(incidents))('there is a %s', (_name, [path, pattern]) => {
    const planted = of(path).filter((record) => pattern.test(JSON.stringify(record)));
    expect(planted.length).toBe(2);
    expect(planted.length).toBeLessThan(of(path).length + (path === 'Events' ? 1 : 0));
  });

  test('even a company of one host has all incidents', () => {
    const tiny = reported({ hosts: 1, seed: 3 }, 1);
    for (const [path, pattern] of Object.values(incidents))
      expect(tiny.get(path)?.filter((record) => pattern.test(JSON.stringify(record)))).toHaveLength(1);
  });
});

test('connections alone are generated lazily', () => {
  const wanted = { hosts: 20, seed: 7, days: 10_000, end };
  const few = [];
  for (const connection of connectionsOf(wanted)) {
    few.push(connection);
    if (few.length === 1_000) break;
  }
  const planted = /"port":3333/;
  const days = reported({ hosts: 20, seed: 7 }, 1).get('Activities/Connections') ?? [];
  const ordinary = days.filter((record) => !planted.test(JSON.stringify(record)));
  expect(JSON.parse(JSON.stringify([...connectionsOf({ ...wanted, days: 1 })]))).toEqual(ordinary);
  expect(few).toHaveLength(1_000);
});
