import { expect, test } from 'vitest';
import { Heartbeat } from './heartbeat.ts';
import type { Gap } from './source.ts';

const gap: Gap = { what: 'containers', reason: 'Run the agent as root.' };
const now = () => Date.parse('2026-01-01T10:00:00Z');

test('an agent says who and where it is, and what is missing', async () => {
  const values = { skew: undefined as number | undefined, lost: 0, rejected: 0 };
  const gaps = new Map<string, readonly Gap[]>();
  const heartbeat = new Heartbeat({
    version: '1.2.3',
    machine: async () => ({ hostname: 'web-1', ipAddress: '10.0.0.1', tags: { Env: 'test' } }),
    gaps: () => gaps,
    clockSkew: () => values.skew,
    lost: () => values.lost,
    rejected: () => values.rejected,
  });
  const first = {
    ...{ agentVersion: '1.2.3', hostname: 'web-1', ipAddr: '10.0.0.1', mode: 'normal', os: 'Linux' },
    ...{ status: 'ACTIVE', lastUpdate: '2026-01-01T10:00:00.000Z', tags: { Env: 'test' } },
  };
  expect(await heartbeat.observe({ now })).toEqual({ records: { AgentInfo: [first] }, gaps: [] });
  gaps.set('containers', [gap]).set('files', [{ ...gap, what: 'watched files' }]);
  Object.assign(values, { skew: -1_600, lost: 2, rejected: 3 });
  const tags = {
    Missing: 'containers, watched files',
    ClockSkewSeconds: '-2',
    LostEntries: '2',
    RejectedRecords: '3',
  };
  expect((await heartbeat.observe({ now })).records.AgentInfo).toEqual([
    { ...first, tags: { Env: 'test', ...tags } },
  ]);
});
