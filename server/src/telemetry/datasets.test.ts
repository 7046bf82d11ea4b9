import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parsePath } from '../search/path.ts';
import type { RangeRule, TelemetryDataset } from './dataset.ts';
import { datasets } from './datasets.ts';

/** Searchable datasets: whether responses contain paging, and the timestamps of the time range. */
const expectedSearchable: Record<string, { isPaged: boolean; range: string }> = {
  'Activities/ChangedFiles': { isPaged: true, range: 'start' },
  'Activities/Connections': { isPaged: true, range: 'start' },
  'Activities/DNSs': { isPaged: true, range: 'createdTime' },
  'Activities/UserLogins': { isPaged: true, range: 'createdTime' },
  AgentInfo: { isPaged: true, range: 'lastUpdate' },
  CloudActivities: { isPaged: true, range: 'start' },
  'Entities/Applications': { isPaged: true, range: 'overlap' },
  'Entities/CommandLines': { isPaged: true, range: 'createdTime' },
  'Entities/Containers': { isPaged: true, range: 'overlap' },
  'Entities/Files': { isPaged: true, range: 'createdTime' },
  'Entities/Images': { isPaged: true, range: 'createdTime' },
  'Entities/InternalIPAddresses': { isPaged: true, range: 'overlap' },
  'Entities/K8sPods': { isPaged: true, range: 'overlap' },
  'Entities/MachineDetails': { isPaged: true, range: 'createdTime' },
  'Entities/Machines': { isPaged: true, range: 'overlap' },
  'Entities/NetworkInterfaces': { isPaged: true, range: 'createdTime' },
  'Entities/NewFileHashes': { isPaged: true, range: 'overlap' },
  'Entities/Packages': { isPaged: true, range: 'createdTime' },
  'Entities/Processes': { isPaged: true, range: 'overlap' },
  'Entities/Users': { isPaged: true, range: 'createdTime' },
  Events: { isPaged: true, range: 'start' },
};

/** Datasets that only queries read, and the member with the time of the event. */
const streams: Record<string, string> = {
  CloudTrailRawEvents: 'eventTime',
  LW_ACT_AZURE_ACTIVITY: 'time',
  LW_ACT_GCP_ACTIVITY: 'timestamp',
  LW_ACT_K8S_AUDIT: 'stageTimestamp',
  LW_HA_CONNECTIONS: 'createdTime',
  LW_HA_SYSCALLS_EXEC: 'createdTime',
  LW_HA_SYSCALLS_FILE: 'createdTime',
  LW_HA_WIN_REGISTRY: 'modifiedTime',
  LW_HE_ACCESS_SSH_AUTHORIZED_KEYS: 'createdTime',
  LW_HE_SECRETS_ALL: 'createdTime',
};

const shortRange = (range: RangeRule) => (range.by === 'instant' ? range.member : range.by);
const instantsOf = ({ range }: TelemetryDataset) =>
  range.by === 'instant' ? [range.member] : ['startTime', 'endTime'];

describe('the datasets', () => {
  test('are one per file, with unique paths', () => {
    const folder = fileURLToPath(new URL('../../src/telemetry/datasets', import.meta.url));
    const names = datasets.map(({ path }) => path.split('/').at(-1));
    expect(names.map((name) => `${name}.ts`).sort()).toEqual(readdirSync(folder).sort());
    expect(new Set(datasets.map(({ path }) => path)).size).toBe(datasets.length);
  });

  test('are searchable or query-only as the interface defines', () => {
    const searchable = datasets.filter(({ search }) => search);
    expect(
      Object.fromEntries(
        searchable.map(({ path, search, range }) => [
          path,
          { isPaged: search?.isPaged, range: shortRange(range) },
        ]),
      ),
    ).toEqual(expectedSearchable);
    const queryOnly = datasets.filter(({ search }) => !search);
    expect(Object.fromEntries(queryOnly.map(({ path, range }) => [path, shortRange(range)]))).toEqual(
      streams,
    );
    for (const { path, datasources } of queryOnly) expect(datasources[0]?.name).toBe(path);
  });

  test('retain applications for 90 days, and return the last report of each agent', () => {
    const special = datasets.filter(({ search }) => search?.historyDays || search?.newestPer);
    expect(special.map(({ path, search }) => [path, search])).toEqual([
      [
        'AgentInfo',
        {
          ...{ isPaged: true, newestPer: 'mid', earliest: 'createdTime' },
          activity: { member: 'status', within: 600_000, active: 'ACTIVE', inactive: 'INACTIVE' },
        },
      ],
      ['Entities/Applications', { isPaged: true, historyDays: 90 }],
    ]);
  });
});

describe.each(datasets.map((dataset) => [dataset.path, dataset] as const))('%s', (_, dataset) => {
  const { members } = dataset;

  test('has a description, and so has every member', () => {
    const described = [
      dataset,
      ...Object.values(members).flatMap((member) => [member, ...below(member.inner)]),
    ];
    for (const { description } of described) expect(description).toMatch(/^[A-Z1].*[\w)]\.$/);
  });

  test('has names that are unique regardless of case, because DuckDB columns are case-insensitive', () => {
    const names = Object.entries(members).flatMap(([name, { inner = {} }]) => [
      name,
      ...Object.keys(inner).map((path) => `${name}.${path}`),
    ]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });

  test('requires the timestamps of its time range', () => {
    for (const name of instantsOf(dataset)) {
      expect(members[name], name).toMatchObject({ type: 'time' });
      expect(members[name]?.optional, name).toBeUndefined();
    }
  });

  test('requires the members of its identity', () => {
    const { identity, search } = dataset;
    expect(identity.length).toBeGreaterThan(0);
    for (const name of [...identity, ...(search?.newestPer ? [search.newestPer] : [])]) {
      expect(Object.hasOwn(members, name), name).toBe(true);
      expect(members[name]?.optional, name).toBeUndefined();
    }
  });

  test('has inner members only in objects, by paths of which none is a prefix of another', () => {
    for (const [name, { type, inner = {} }] of Object.entries(members)) {
      expect(parsePath(name)).toEqual({ field: name, steps: [] });
      if (Object.keys(inner).length > 0) expect(type, name).toBe('json');
      const paths = Object.keys(inner).map((path) => {
        const { field, steps } = parsePath(path) ?? { field: undefined, steps: [] };
        return [field, ...steps];
      });
      for (const path of paths) expect(path.every((step) => typeof step === 'string')).toBe(true);
      const prefixes = paths.flatMap((path) =>
        path.slice(1).map((_, end) => path.slice(0, end + 1).join('.')),
      );
      expect(paths.map((path) => path.join('.')).filter((path) => prefixes.includes(path))).toEqual([]);
    }
  });
});

const below = (inner: object | undefined): { description: string }[] => Object.values(inner ?? {});
