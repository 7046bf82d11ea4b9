import type { DatasetPath } from '@vedette/agent/datasets';
import type { Observation, Observed, Source } from '@vedette/agent/source';
import { hourAt, millisecondsPerHour, startOfHour } from '@vedette/server/simulate/hour';
import { execRecord, processRecord } from '@vedette/server/simulate/streams/processes';
import type { SimulatedHost } from './simulated-host.ts';

type SimulatedSource = Source<SimulatedHost>;

const observed = (records: Observation['records']): Observation => ({ records, gaps: [] });

/**
 * A part of the host that does not change. The real agent reads it each time and finds nothing new until the next hour;
 * for thousands in one process that is too much work for nothing.
 */
function inventory(name: string, interval: number, paths: readonly DatasetPath[]): SimulatedSource {
  let reportedHour: number | undefined;
  return {
    name,
    interval,
    async observe(host) {
      const hour = startOfHour(host.now());
      if (hour === reportedHour) return observed({});
      reportedHour = hour;
      return observed(Object.fromEntries(paths.map((path) => [path, host.recordsAt(path, hour)])));
    },
  };
}

/** Something that happens at times, by the member with the time. */
interface Events {
  readonly path: DatasetPath;
  readonly at: string;
}

/** A log that is followed from the start of the agent on. */
function log(name: string, interval: number, { path, at }: Events): SimulatedSource {
  let after: number | undefined;
  return {
    name,
    interval,
    async observe(host) {
      const [from, now] = [after ?? host.now(), host.now()];
      after = now;
      const events: Observed[] = [];
      for (let hour = startOfHour(from); hour <= now; hour += millisecondsPerHour)
        events.push(
          ...host.recordsAt(path, hour).filter((record) => {
            const instant = Date.parse(String(record[at]));
            return instant > from && instant <= now;
          }),
        );
      return observed(events.length > 0 ? { [path]: events } : {});
    },
  };
}

/** Those that run all the time, once an hour, and those that were started since the last sample. */
function processes(): SimulatedSource {
  let after: number | undefined;
  let reportedHour: number | undefined;
  return {
    name: 'processes',
    interval: 10_000,
    async observe(host) {
      const now = host.now();
      const started = host.startedBetween(after ?? now, now);
      after = now;
      const hour = hourAt(startOfHour(now));
      const fresh = hour.start === reportedHour ? started : [...host.machine.processes, ...started];
      reportedHour = hour.start;
      return observed({ 'Entities/Processes': fresh.map((one) => processRecord(host, one, hour)) });
    },
  };
}

/** What auditd writes. */
function executions(): SimulatedSource {
  let after: number | undefined;
  return {
    name: 'audit',
    interval: 5_000,
    async observe(host) {
      const now = host.now();
      const started = host.startedBetween(after ?? now, now);
      after = now;
      const records = started.map((one) => execRecord(host, one, '/usr/sbin/cron'));
      return observed(records.length > 0 ? { LW_HA_SYSCALLS_EXEC: records } : {});
    },
  };
}

/** Milliseconds of a report of connections; the first one is shorter. */
const windowLength = 5 * 60_000;

function connections(): SimulatedSource {
  const interval = 10_000;
  let start: number | undefined;
  let isFirst = true;
  return {
    name: 'connections',
    interval,
    async observe(host) {
      const now = host.now();
      start ??= now;
      const hourEnd = startOfHour(start) + millisecondsPerHour;
      const end = Math.min(now, hourEnd);
      if (end < hourEnd && end - start < (isFirst ? interval : windowLength)) return observed({});
      const records = host.connectionsIn(start, end);
      [start, isFirst] = [end, false];
      return observed({ 'Activities/Connections': records });
    },
  };
}

/** The sources of the real agent that the simulated company has records for, with their names and intervals. */
export function sourcesOf(): SimulatedSource[] {
  return [
    inventory('machine', 60_000, ['Entities/Machines', 'Entities/MachineDetails']),
    processes(),
    inventory('users', 60_000, ['Entities/Users']),
    inventory('interfaces', 60_000, ['Entities/NetworkInterfaces', 'Entities/InternalIPAddresses']),
    inventory('packages', 60_000, ['Entities/Packages']),
    connections(),
    inventory('containers', 30_000, ['Entities/Containers', 'Entities/Images', 'Entities/K8sPods']),
    inventory('applications', 60_000, ['Entities/Applications']),
    log('logins', 10_000, { path: 'Activities/UserLogins', at: 'createdTime' }),
    // The real one looks each second, which would take most of the time of thousands in one process.
    log('files', 10_000, { path: 'Activities/ChangedFiles', at: 'activityStartTime' }),
    inventory('programs', 60_000, ['Entities/Files']),
    inventory('keys', 15 * 60_000, ['LW_HE_ACCESS_SSH_AUTHORIZED_KEYS', 'LW_HE_SECRETS_ALL']),
    executions(),
  ];
}
