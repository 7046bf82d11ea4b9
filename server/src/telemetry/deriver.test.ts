import { describe, expect, test } from 'vitest';
import type { commandLines } from './datasets/CommandLines.ts';
import { dnss } from './datasets/DNSs.ts';
import { processes } from './datasets/Processes.ts';
import { datasets } from './datasets.ts';
import { Deriver } from './deriver.ts';
import { memberAt } from './query-column.ts';

const process = (startTime: string, cmdlineHash: string, cmdline?: string | null) => ({
  ...{ startTime, endTime: '2026-03-01T23:00:00.000Z', mid: 1, cmdlineHash },
  ...(cmdline !== undefined && { cmdline }),
});

function derive(dataset: typeof processes, ...records: object[]) {
  const deriver = new Deriver(dataset);
  for (const record of records) deriver.add(record as Record<string, unknown>);
  return deriver.result().map(({ dataset: into, records: documents, since }) => ({
    into: into.path,
    since: new Date(since).toISOString(),
    records: documents.map((json) => JSON.parse(json)),
  }));
}

describe('records derived from processes', () => {
  test('contain each command line once per hour', () => {
    const derived = derive(
      processes,
      process('2026-03-01T12:00:00.000Z', 'h1', 'a "b" é'),
      process('2026-03-01T12:59:59.999Z', 'h1', 'a "b" é'),
      process('2026-03-01T14:30:00+02:00', 'h1', 'a "b" é'),
      process('2026-03-01T13:00:00.000Z', 'h1', 'a "b" é'),
      process('2026-03-01T12:00:00.000Z', 'h2', 'c'),
    );
    const record = (createdTime: string, cmdlineHash: string, cmdline: string) => ({
      ...{ createdTime, cmdlineHash, cmdline },
    });
    expect(derived).toEqual([
      {
        into: 'Entities/CommandLines',
        since: '2026-03-01T12:00:00.000Z',
        records: [
          record('2026-03-01T12:00:00.000Z', 'h1', 'a "b" é'),
          record('2026-03-01T13:00:00.000Z', 'h1', 'a "b" é'),
          record('2026-03-01T12:00:00.000Z', 'h2', 'c'),
        ],
      },
    ]);
  });

  test('are empty if processes have no command line', () => {
    const records = [
      process('2026-03-01T12:00:00.000Z', 'h1'),
      process('2026-03-01T12:00:00.000Z', 'h2', null),
    ];
    expect(derive(processes, ...records)).toEqual([]);
  });
});

test('datasets without derivations derive nothing', () => {
  expect(derive(dnss, { createdTime: '2026-03-01T12:00:00.000Z' })).toEqual([]);
  expect(datasets.filter(({ derives }) => derives).map(({ path }) => path)).toEqual(['Entities/Processes']);
});

test.each(datasets.flatMap((dataset) => (dataset.derives ?? []).map((one) => [dataset.path, dataset, one])))(
  'records derived from %s have the declared types, none of which Node rounds',
  (_, dataset, derivation) => {
    const { into, members } = derivation as { into: typeof commandLines; members: object };
    const from = dataset as typeof processes;
    for (const [name, source] of Object.entries(members)) {
      const path = typeof source === 'string' ? source : source.of;
      expect(into.members[name]?.type, name).toBe(memberAt(from, path).type);
      expect(['string', 'time', 'boolean']).toContain(memberAt(from, path).type);
    }
    const required = Object.entries(into.members).filter(([, { optional }]) => !optional);
    expect(Object.keys(members)).toEqual(expect.arrayContaining(required.map(([name]) => name)));
    for (const name of into.identity) expect(into.members[name]?.type, name).not.toBe('json');
  },
);
