import { read } from '../reading.ts';
import type { HostProcess } from './host-process.ts';
import { processKey } from './process-key.ts';

/** A process of a host that was started some hours ago. */
export function sampleProcess(other: Partial<HostProcess> = {}): HostProcess {
  const { pid = 4242, startTicks = 500n } = other;
  return {
    pid,
    ppid: 1,
    pgid: pid,
    sid: pid,
    startTicks,
    startedAt: Date.parse('2026-01-01T10:00:00.120Z'),
    uid: 33,
    effectiveUid: 33,
    name: 'nginx',
    parameters: read(['nginx', '-g', 'daemon off;']),
    program: read('/usr/sbin/nginx'),
    directory: read('/srv'),
    root: read('/'),
    network: read('net:[4026531840]'),
    key: processKey('boot', pid, startTicks),
    ...other,
  };
}
