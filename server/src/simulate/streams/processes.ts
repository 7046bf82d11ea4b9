import { syscallsExec } from '../../telemetry/datasets/LW_HA_SYSCALLS_EXEC.ts';
import { processes as dataset } from '../../telemetry/datasets/Processes.ts';
import type { Company } from '../company/company.ts';
import type { Machine } from '../company/machine.ts';
import { childOf, type Process, process } from '../company/process.ts';
import { type Hour, isoTimestamp, millisecondsPerHour } from '../hour.ts';
import { Random } from '../random.ts';
import { hourly, type Stream } from '../stream.ts';

export function processRecord({ mid }: Pick<Machine, 'mid'>, running: Process, { window }: Hour) {
  const { container } = running;
  const leader = running.ppid > 1 ? running.ppid : running.pid;
  return {
    startTime: window.startTime,
    endTime: window.endTime,
    mid,
    pid: running.pid,
    ppid: running.ppid,
    pidHash: running.pidHash,
    ppidHash: running.ppidHash,
    pgid: leader,
    sid: leader,
    uid: running.uid,
    username: running.user,
    eusername: running.user,
    filePath: running.path,
    cmdline: running.cmdline,
    cmdlineHash: running.cmdlineHash,
    processStartTime: isoTimestamp(running.startedAt),
    cwd: '/',
    root: '/',
    os: 'linux',
    processSource: { agent: 'procfs' },
    isInContainer: container !== undefined,
    containerId: container?.id,
    podName: container?.podName,
  };
}

export function execRecord({ mid }: Pick<Machine, 'mid'>, started: Process, parentExePath: string) {
  return {
    createdTime: isoTimestamp(started.startedAt),
    mid,
    pid: started.pid,
    ppid: started.ppid,
    pidHash: started.pidHash,
    ppidHash: started.ppidHash,
    uid: started.uid,
    gid: started.uid,
    exePath: started.path,
    cmdline: started.cmdline,
    parentExePath,
    isInContainer: started.container !== undefined,
    count: 1,
    os: 'linux',
  };
}

const jobs = [
  '/usr/bin/run-parts --report /etc/cron.hourly',
  '/usr/sbin/logrotate /etc/logrotate.conf',
  '/usr/bin/apt-get -qq update',
  '/usr/bin/find /tmp -mtime +7 -delete',
  '/usr/bin/openssl x509 -checkend 604800 -in /etc/ssl/certs/shop.pem',
] as const;

/** Short cron jobs. Identical for every stream of the hour. */
function jobsOf({ seed, hosts }: Company, machine: Machine, { start }: Hour): Process[] {
  const random = new Random('jobs', seed, hosts, machine.index, start);
  const cron = machine.processes.find(({ name }) => name === 'cron');
  return random.some(jobs, random.between(1, 3)).map((cmdline, place) => {
    const [pid, startedAt] = [
      random.between(20_000, 32_000) + place,
      start + random.below(millisecondsPerHour),
    ];
    const common = { name: 'cron job', pid, ...childOf(cron), user: 'root', uid: 0 };
    return process({ ...common, cmdline, startedAt }, random);
  });
}

/** Milliseconds; in about a third of them a host starts a process. */
const startInterval = 10_000;

/** Processes that a host starts after one instant and up to another: two a minute, which soon end. */
export function startedBetween(company: Company, machine: Machine, after: number, upTo: number): Process[] {
  const cron = machine.processes.find(({ name }) => name === 'cron');
  const started: Process[] = [];
  for (let at = Math.floor(after / startInterval) * startInterval; at <= upTo; at += startInterval) {
    const random = new Random('started', company.seed, company.hosts, machine.index, at);
    const startedAt = at + random.below(startInterval);
    if (!random.chance(1 / 3) || startedAt <= after || startedAt > upTo) continue;
    const common = { name: 'job', pid: random.between(33_000, 4_000_000), ...childOf(cron) };
    started.push(process({ ...common, user: 'root', uid: 0, cmdline: random.pick(jobs), startedAt }, random));
  }
  return started;
}

export const processStreams: readonly Stream[] = [
  hourly(dataset, function* (machine, hour, _random, company) {
    for (const running of machine.processes) yield processRecord(machine, running, hour);
    for (const job of jobsOf(company, machine, hour)) yield processRecord(machine, job, hour);
  }),
  hourly(syscallsExec, function* (machine, hour, _random, company) {
    for (const job of jobsOf(company, machine, hour)) yield execRecord(machine, job, '/usr/sbin/cron');
  }),
];
