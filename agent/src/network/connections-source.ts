import { accessAdvice } from '../host/access-advice.ts';
import type { Host } from '../host/host.ts';
import type { HostProcess, ReadProcesses } from '../processes/host-process.ts';
import { ProcDirectory } from '../processes/proc-directory.ts';
import type { Gap, Observation, Observed, Source } from '../source.ts';
import { hourLength, startOfHour, timestamp } from '../timestamp.ts';
import { connectionsOf } from './connection.ts';
import { ConnectionWindow } from './connection-window.ts';
import { KeptWindow } from './kept-window.ts';
import { SocketOwners } from './socket-owners.ts';
import { type Protocol, parseSockets, type Socket } from './socket-table.ts';
import { type ByteCounts, parseSs } from './ss-output.ts';

/** How much time a report covers; the first one less, so that a new host is soon seen. */
const windowLength = 5 * 60_000;
/** Connections that are written to the file with each sample; more are written each minute. */
const maxKeptEachTime = 2_000;
const largePause = 60_000;
const maxTableBytes = 8 * 1024 * 1024;
const maxNamespaces = 1_000;
const tables: readonly (readonly [file: string, protocol: Protocol])[] = [
  ['tcp', 'TCP'],
  ['tcp6', 'TCP'],
  ['udp', 'UDP'],
  ['udp6', 'UDP'],
];

const sampled: Gap = {
  what: 'Short connections',
  reason:
    'Connections are sampled each 10 seconds: those that begin and end in between, and the peers of UDP sockets without a fixed one, are not seen.',
};

export interface ConnectionsDeps {
  readonly processes: ReadProcesses;
  /** Where the window is kept until it is reported. */
  readonly file?: string;
}

/** Reports the connections of the host, by samples of its sockets. */
export class ConnectionsSource implements Source {
  readonly name = 'connections';
  readonly interval = 10_000;
  readonly #processes: ReadProcesses;
  readonly #owners = new SocketOwners();
  readonly #window = new ConnectionWindow();
  readonly #kept: KeptWindow;
  #keptAt = -Infinity;
  /** Of the window, which is not reported yet; undefined before the first observation. */
  #number: number | undefined;
  #start: number | undefined;
  #isFirst = true;

  constructor({ processes, file }: ConnectionsDeps) {
    this.#processes = processes;
    this.#kept = new KeptWindow(file);
  }

  async observe(host: Host, cursor?: unknown): Promise<Observation> {
    const now = host.now();
    const records = this.#number === undefined ? await this.#restore(now, reportedIn(cursor)) : [];
    const number = this.#number ?? 0;
    records.push(...this.#endHour(now));
    const gaps = await this.#sample(host);
    const start = this.#start ?? now;
    if (now - start >= (this.#isFirst ? this.interval : windowLength)) {
      records.push(...this.#window.end(timestamp(start), timestamp(now), false));
      this.#start = now;
      this.#isFirst = false;
    }
    if (this.#window.isFull)
      gaps.push({ what: 'Some connections', reason: 'There were more than 20000 pairs of peers at a time.' });
    const observation = { records: { 'Activities/Connections': records }, gaps: [...gaps, sampled] };
    // Until the journal has the records, the file has what they are made of.
    if (records.length > 0) {
      this.#number = number + 1;
      return { ...observation, cursor: { reported: number } };
    }
    await this.#keep(number, now);
    return observation;
  }

  /** Goes on with the window of an agent that was stopped. If that was long ago, the window ends with its last sample. */
  async #restore(now: number, reported: number): Promise<Observed[]> {
    this.#number = reported + 1;
    const kept = await this.#kept.read();
    if (!kept || kept.number < reported || kept.at > now) return [];
    const isReported = kept.number === reported;
    this.#window.restore(isReported ? { ...kept.state, flows: [] } : kept.state);
    this.#isFirst = false;
    this.#start = isReported ? kept.at : kept.start;
    if (now - this.#start < windowLength && startOfHour(now) === startOfHour(this.#start)) return [];
    const isHourOver = startOfHour(now) !== startOfHour(this.#start);
    const records = this.#window.end(timestamp(this.#start), timestamp(kept.at), isHourOver);
    this.#start = now;
    return records;
  }

  /** With many connections less often, because all of them are written. */
  async #keep(number: number, now: number): Promise<void> {
    const { state } = this.#window;
    const isLarge = state.open.length + state.flows.length > maxKeptEachTime;
    if (isLarge && now >= this.#keptAt && now - this.#keptAt < largePause) return;
    this.#keptAt = now;
    await this.#kept.write({ number, start: this.#start ?? now, at: now, state });
  }

  /** A window ends with its hour, and the next one begins there. */
  #endHour(now: number): Observed[] {
    const start = this.#start;
    // A clock that was set back must not give a window without an end.
    if (start === undefined || now < start) this.#start = now;
    if (start === undefined) return [];
    const end = startOfHour(start) + hourLength;
    if (now < end) return [];
    this.#start = startOfHour(now);
    return this.#window.end(timestamp(start), timestamp(end), true);
  }

  async #sample(host: Host): Promise<Gap[]> {
    const processes = await this.#processes();
    const proc = await ProcDirectory.open(host.files);
    if (processes.is !== 'read' || proc.is !== 'read') {
      const reason = processes.is === 'unreadable' ? processes.reason : 'The host has no /proc.';
      return [{ what: 'Connections', reason }];
    }
    const gaps: Gap[] = [];
    const advice = accessAdvice('processes', host.isRoot);
    const namespaces = new Map<string, Socket[]>();
    for (const [namespace, pid] of membersOf(processes.value)) {
      const { sockets, reason } = socketsOf(proc.value, pid);
      namespaces.set(namespace, sockets);
      if (reason !== undefined) gaps.push({ what: 'Some connections', reason });
    }
    if (processes.value.some(({ network }) => network.is === 'unreadable'))
      gaps.push({
        what: 'Connections in other network namespaces',
        reason: `Those of containers may not be read. ${advice}`,
      });
    const inodes = new Set([...namespaces.values()].flat().map(({ inode }) => inode));
    inodes.delete(0);
    if (!(await this.#owners.find(inodes, processes.value, proc.value)))
      gaps.push({
        what: 'Processes of some connections',
        reason: `The sockets of other users may not be read. ${advice}`,
      });
    const counts = await countsOf(host, namespaces.size, gaps);
    const ownerOf = (inode: number) => this.#owners.of(inode);
    const connections = [...namespaces].flatMap(([namespace, sockets]) =>
      connectionsOf(sockets, { mid: host.mid, namespace, ownerOf }),
    );
    this.#window.sample(connections, (inode) => counts.get(inode));
    return gaps;
  }
}

/** The number of the last window in the journal. */
function reportedIn(cursor: unknown): number {
  const reported = (cursor as { reported?: unknown } | undefined | null)?.reported;
  return typeof reported === 'number' && Number.isSafeInteger(reported) ? reported : 0;
}

/** A process of each network namespace. */
function membersOf(processes: readonly HostProcess[]): Map<string, number> {
  const members = new Map<string, number>();
  for (const { network, pid } of processes)
    if (network.is === 'read' && !members.has(network.value) && members.size < maxNamespaces)
      members.set(network.value, pid);
  return members;
}

interface ReadSockets {
  readonly sockets: Socket[];
  /** Why some are missing. */
  readonly reason?: string;
}

/** A host without IPv6 has no tables for it. */
function socketsOf(proc: ProcDirectory, pid: number): ReadSockets {
  const all: Socket[] = [];
  let reason: string | undefined;
  for (const [file, protocol] of tables) {
    const table = proc.start(`${pid}/net/${file}`, maxTableBytes);
    if (table.is === 'unreadable') reason = table.reason;
    if (table.is !== 'read') continue;
    const { sockets, unknown } = parseSockets(table.value.toString('latin1'), protocol);
    for (const socket of sockets) all.push(socket);
    if (table.value.length >= maxTableBytes) reason = `/proc/net/${file} has more than 8 MiB.`;
    else if (unknown > 0) reason = `/proc/net/${file} has lines of an unknown form.`;
  }
  return { sockets: all, ...(reason !== undefined && { reason }) };
}

/** Byte counts by inode. The kernel has them for `ss` only, which shows the network namespace of the agent. */
async function countsOf(host: Host, namespaces: number, gaps: Gap[]): Promise<Map<number, ByteCounts>> {
  const output = await host.programs.output('ss', ['-tineH']);
  if (output.is === 'read') {
    if (namespaces > 1)
      gaps.push({
        what: 'Bytes of connections in containers',
        reason: 'ss counts those of the network namespace of the agent only.',
      });
    return parseSs(output.value.toString('latin1'));
  }
  const reason = output.is === 'absent' ? 'The program ss is missing: install iproute2.' : output.reason;
  gaps.push({ what: 'Bytes of connections', reason });
  return new Map();
}
