import { createHash } from 'node:crypto';
import type { Random } from '../random.ts';
import type { Container } from './container.ts';
import { type Role, systemPrograms } from './role.ts';

export interface Process {
  readonly name: string;
  readonly pid: number;
  readonly ppid: number;
  readonly pidHash: number;
  readonly ppidHash?: number | undefined;
  readonly path: string;
  readonly cmdline: string;
  readonly cmdlineHash: string;
  readonly user: string;
  readonly uid: number;
  readonly port?: number | undefined;
  readonly startedAt: number;
  readonly container?: Container | undefined;
}

type ProcessOptions = Omit<Process, 'cmdlineHash' | 'pidHash' | 'path'>;

export function process(options: ProcessOptions, random: Random): Process {
  const cmdlineHash = createHash('md5').update(options.cmdline).digest('hex');
  const path = options.cmdline.split(' ')[0] as string;
  return { ...options, path, cmdlineHash, pidHash: random.key() };
}

interface Host {
  readonly role: Role;
  readonly bootAt: number;
  readonly containers: readonly Container[];
}

/** Processes since boot: of the system, of the role and of containers. */
export function startProcesses({ role, bootAt, containers }: Host, random: Random): Process[] {
  const started: Process[] = [];
  let pid = 0;
  for (const program of [...systemPrograms, ...role.programs]) {
    const parent = started.find(({ name }) => name === program.parent) ?? started[0];
    const cmdline = program.arguments ? `${program.path} ${program.arguments}` : program.path;
    pid += started.length === 0 ? 1 : random.between(3, 90);
    const { name, user, uid, port } = program;
    const common = { name, pid, ...childOf(parent), startedAt: bootAt + pid * 20 };
    started.push(process({ ...common, cmdline, user, uid, port }, random));
  }
  for (const container of containers) {
    pid += random.between(50, 900);
    const { command: cmdline, user, uid, port } = container.image;
    const runtime = started.find(({ name }) => name === 'containerd' || name === 'dockerd') ?? started[0];
    const common = {
      name: container.name,
      pid,
      ...childOf(runtime),
      startedAt: container.startedAt,
      container,
    };
    started.push(process({ ...common, cmdline, user, uid, port }, random));
  }
  return started;
}

/** The first process of a host has no parent. */
export function childOf(parent: Process | undefined) {
  return { ppid: parent?.pid ?? 0, ppidHash: parent?.pidHash };
}
