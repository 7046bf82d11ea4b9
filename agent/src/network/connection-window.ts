import type { Observed } from '../source.ts';
import type { Connection } from './connection.ts';
import type { ByteCounts } from './ss-output.ts';

const maxFlows = 20_000;
/** Pairs of addresses that a record names. */
const maxDetails = 20;

/** A connection that was open in the last sample. */
interface Open {
  readonly connection: Connection;
  readonly counts: ByteCounts | undefined;
  /** Whether it is in the number of connections of the hour. */
  isCounted: boolean;
}

/** What is reported of all connections between two entities. */
interface Flow {
  readonly connection: Connection;
  readonly details: Map<string, Observed>;
  connections: number;
  toServer: number;
  toClient: number;
  hasCounts: boolean;
}

/** As JSON. */
export interface WindowState {
  readonly open: readonly Open[];
  readonly flows: readonly (Omit<Flow, 'details'> & { readonly details: readonly Observed[] })[];
}

/** The connections and bytes since the last report, from samples of what is open. */
export class ConnectionWindow {
  #open = new Map<string, Open>();
  #flows = new Map<string, Flow>();
  #isFirst = true;
  #isFull = false;

  get state(): WindowState {
    return {
      open: [...this.#open.values()],
      flows: [...this.#flows.values()].map((flow) => ({ ...flow, details: [...flow.details.values()] })),
    };
  }

  /** Goes on where another one was. */
  restore({ open, flows }: WindowState): void {
    this.#isFirst = false;
    this.#open = new Map(open.map((one) => [one.connection.key, one]));
    this.#flows = new Map(
      flows.map(({ details, ...flow }) => [
        flowKey(flow.connection),
        { ...flow, details: new Map(details.map((detail) => [pairOf(detail), detail])) },
      ]),
    );
  }

  /** Whether some flows were left out of the last report, because there were too many. */
  get isFull(): boolean {
    return this.#isFull;
  }

  sample(connections: readonly Connection[], countsOf: (inode: number) => ByteCounts | undefined): void {
    const open = new Map<string, Open>();
    for (const connection of connections) {
      const before = this.#open.get(connection.key);
      const known = before && isSame(before.connection, connection) ? before : undefined;
      // The counters of the other end are other ones.
      const isOtherEnd = known && known.connection.isIncoming !== connection.isIncoming;
      const counts = isOtherEnd ? undefined : countsOf(connection.inode);
      // A closed connection keeps the process that it had.
      const current: Open = known
        ? { ...known, counts: counts ?? known.counts }
        : { connection, counts, isCounted: false };
      open.set(connection.key, current);
      const flow = this.#flowOf(current.connection);
      if (!flow) continue;
      if (!current.isCounted) flow.connections++;
      current.isCounted = true;
      // What was transferred before the agent was started is not of this hour.
      if (counts) addBytes(flow, counts, known ? known.counts : this.#isFirst ? counts : undefined);
    }
    this.#open = open;
    this.#isFirst = false;
  }

  /** The records of the window, which ends. Connections that stay open count again in another hour. */
  end(startTime: string, endTime: string, isHourOver: boolean): Observed[] {
    const flows = [...this.#flows.values()];
    this.#isFull = flows.length >= maxFlows;
    this.#flows = new Map();
    if (isHourOver) for (const open of this.#open.values()) open.isCounted = false;
    return flows
      .filter(({ connections, toServer, toClient }) => connections + toServer + toClient > 0)
      .map((flow) => recordOf(flow, startTime, endTime));
  }

  #flowOf(connection: Connection): Flow | undefined {
    const { client, server, protocol } = connection;
    const key = flowKey(connection);
    let flow = this.#flows.get(key);
    if (!flow) {
      if (this.#flows.size >= maxFlows) return undefined;
      flow = { connection, details: new Map(), connections: 0, toServer: 0, toClient: 0, hasCounts: false };
      this.#flows.set(key, flow);
    }
    const detail = {
      ...{ src_ip_addr: client.address, dst_ip_addr: server.address },
      ...{ dst_port: server.port, protocol },
    };
    const pair = pairOf(detail);
    if (flow.details.size < maxDetails && !flow.details.has(pair)) flow.details.set(pair, detail);
    return flow;
  }
}

function flowKey({ source, destination }: Connection): string {
  return JSON.stringify([source, destination]);
}

function pairOf({ src_ip_addr, dst_ip_addr, dst_port, protocol }: Observed): string {
  return `${src_ip_addr} ${dst_ip_addr} ${dst_port} ${protocol}`;
}

/** Whether two samples with the same addresses are of one connection. Without an inode it is closed, but not forgotten. */
function isSame(before: Connection, now: Connection): boolean {
  return before.inode === now.inode || now.inode === 0 || before.isIncoming !== now.isIncoming;
}

function addBytes(flow: Flow, counts: ByteCounts, before: ByteCounts | undefined): void {
  const sent = Math.max(0, counts.sent - (before?.sent ?? 0));
  const received = Math.max(0, counts.received - (before?.received ?? 0));
  flow.toServer += flow.connection.isIncoming ? received : sent;
  flow.toClient += flow.connection.isIncoming ? sent : received;
  flow.hasCounts = true;
}

function recordOf(flow: Flow, startTime: string, endTime: string): Observed {
  const { source, destination } = flow.connection;
  return {
    startTime,
    endTime,
    srcEntityType: source.type,
    srcEntityId: source.id,
    dstEntityType: destination.type,
    dstEntityId: destination.id,
    srcInBytes: flow.toClient,
    srcOutBytes: flow.toServer,
    dstInBytes: flow.toServer,
    dstOutBytes: flow.toClient,
    numConns: flow.connections,
    endpointDetails: [...flow.details.values()],
    ...(!flow.hasCounts && { props: { bytes: 'unknown' } }),
  };
}
