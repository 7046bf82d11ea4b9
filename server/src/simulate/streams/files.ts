import { createHash } from 'node:crypto';
import { changedFiles } from '../../telemetry/datasets/ChangedFiles.ts';
import { files } from '../../telemetry/datasets/Files.ts';
import { syscallsFile } from '../../telemetry/datasets/LW_HA_SYSCALLS_FILE.ts';
import { newFileHashes } from '../../telemetry/datasets/NewFileHashes.ts';
import type { Company } from '../company/company.ts';
import type { Machine } from '../company/machine.ts';
import { childOf } from '../company/process.ts';
import { systemPrograms } from '../company/role.ts';
import { type Hour, isoTimestamp, millisecondsPerHour } from '../hour.ts';
import { Random } from '../random.ts';
import { hourly, type Stream, snapshots } from '../stream.ts';

const watched = [
  ...['/etc/passwd', '/etc/group', '/etc/shadow', '/etc/sudoers', '/etc/hosts', '/etc/ssh/sshd_config'],
  ...['/etc/crontab', '/etc/resolv.conf', '/usr/bin/sudo', '/usr/bin/ssh', '/usr/bin/curl', '/usr/bin/bash'],
] as const;
/** Files that change in routine operation. */
const changing = ['/etc/hosts', '/etc/resolv.conf', '/etc/crontab', '/etc/passwd'] as const;

/** A version of a file. */
export interface FileState {
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  readonly changedAt: number;
}

/** Programs are identical on all hosts; files in /etc are specific to the host. */
export function fileState(path: string, content: string, changedAt: number): FileState {
  const digest = createHash('sha256').update(`${path}\n${content}`).digest();
  return { path, hash: digest.toString('hex'), size: 200 + (digest.readUInt32LE(0) % 900_000), changedAt };
}

/** The only symbolic link among the watched files. */
const link = {
  path: '/etc/resolv.conf',
  target: '../run/systemd/resolve/stub-resolv.conf',
  fullTarget: '/run/systemd/resolve/stub-resolv.conf',
} as const;

const contentOf = (path: string, { role, mid }: Machine) => (path.startsWith('/etc') ? String(mid) : role.os);

export function fileRecord({ path, hash, size, changedAt }: FileState, mid: number) {
  const isLink = path === link.path;
  const isProgram = path.includes('bin/');
  return {
    mid,
    filePath: path,
    fileName: path.split('/').at(-1),
    fileType: isLink ? 'link' : 'file',
    inode: 131_072 + (Number.parseInt(hash.slice(8, 14), 16) % 900_000),
    filedataHash: hash,
    metadataHash: createHash('sha256').update(`${mid} ${hash} ${changedAt}`).digest('hex'),
    size,
    blockSize: 4_096,
    blockCount: Math.ceil(size / 4_096) * 8,
    mtime: String(changedAt),
    fileCreatedTime: isoTimestamp(changedAt),
    fileModifiedTime: isoTimestamp(changedAt),
    fileAccessedTime: isoTimestamp(changedAt + 90_000),
    filePermissions: isProgram ? 0o755 : path === '/etc/shadow' ? 0o640 : 0o644,
    hardLinkCount: 1,
    ownerUid: 0,
    ownerUsername: 'root',
    ownerGid: 0,
    isLink: isLink ? 1 : 0,
    ...(isLink && { linkDestPath: link.target, linkAbsDestPath: link.fullTarget }),
  };
}

export function changeRecord({ path, hash, size, changedAt }: FileState, mid: number) {
  return {
    mid,
    filePath: path,
    filedataHash: hash,
    mtime: String(changedAt),
    size,
    threatInfo: 'null',
    activity: 'modify',
    activityStartTime: isoTimestamp(changedAt),
    activityEndTime: isoTimestamp(changedAt),
  };
}

/** Files are changed in login sessions. */
export function fileCallRecord({ path, changedAt }: FileState, { mid, processes }: Machine, pid: number) {
  const sshd = processes.find(({ name }) => name === 'sshd');
  const pidHash = new Random('caller', mid, pid, changedAt).key();
  const targetOp = 'modify';
  const watchPath = path.slice(0, path.lastIndexOf('/'));
  return {
    ...{ createdTime: isoTimestamp(changedAt), mid, pid, pidHash, ...childOf(sshd) },
    ...{ uid: 0, gid: 0, count: 1, os: 'linux' },
    ...{ targetType: 'file', targetOp, targetPath: path, watchPath },
  };
}

/** Files changed by administrators. Identical for every stream of the hour. */
function changesOf({ seed, hosts }: Company, machine: Machine, { start, load }: Hour): FileState[] {
  const random = new Random('changes', seed, hosts, machine.index, start);
  if (!random.chance(0.06 * load)) return [];
  return [fileState(random.pick(changing), random.hex(8), start + random.below(millisecondsPerHour))];
}

export const fileStreams: readonly Stream[] = [
  snapshots(files, function* (machine) {
    const programs = [...systemPrograms, ...machine.role.programs].map(({ path }) => path);
    for (const path of new Set([...watched, ...programs]))
      yield fileRecord(fileState(path, contentOf(path, machine), machine.bootAt), machine.mid);
  }),
  hourly(changedFiles, (machine, hour, _random, company) =>
    changesOf(company, machine, hour).map((state) => ({
      ...hour.window,
      ...changeRecord(state, machine.mid),
    })),
  ),
  hourly(newFileHashes, (machine, hour, _random, company) =>
    changesOf(company, machine, hour).map(({ hash }) => ({ ...hour.window, filedataHash: hash })),
  ),
  hourly(syscallsFile, (machine, hour, random, company) =>
    changesOf(company, machine, hour).map((state) =>
      fileCallRecord(state, machine, random.between(2_000, 30_000)),
    ),
  ),
];
