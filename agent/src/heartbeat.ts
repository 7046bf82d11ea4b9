import type { Gap, Observation, Source } from './source.ts';
import { timestamp } from './timestamp.ts';

/** What the heartbeat says of the machine; other parts know it. */
export interface HeartbeatMachine {
  readonly hostname: string;
  readonly ipAddress: string;
  readonly tags: Readonly<Record<string, string>>;
}

export interface HeartbeatDeps {
  readonly version: string;
  readonly machine: () => Promise<HeartbeatMachine>;
  readonly gaps: () => ReadonlyMap<string, readonly Gap[]>;
  /** Milliseconds by which the clock of the host is ahead of the server's. */
  readonly clockSkew: () => number | undefined;
  /** Entries of the journal that were dropped, and records that the server rejected. */
  readonly lost: () => number;
  readonly rejected: () => number;
}

/** Says that the agent is alive, and what is missing in its reports. */
export class Heartbeat implements Source {
  readonly name = 'heartbeat';
  readonly interval = 60_000;
  readonly #deps: HeartbeatDeps;

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
  }

  async observe(host: { now(): number }): Promise<Observation> {
    const { version, machine, gaps, clockSkew, lost, rejected } = this.#deps;
    const { hostname, ipAddress, tags } = await machine();
    const skew = clockSkew();
    const missing = [...gaps().values()].flat().map(({ what }) => what);
    const record = {
      ...{
        agentVersion: version,
        hostname,
        ipAddr: ipAddress,
        mode: 'normal',
        os: 'Linux',
        status: 'ACTIVE',
      },
      lastUpdate: timestamp(host.now()),
      tags: {
        ...tags,
        ...(missing.length > 0 && { Missing: missing.join(', ').slice(0, 1_000) }),
        // The server tells its time by the second.
        ...(skew !== undefined && { ClockSkewSeconds: `${Math.round(skew / 1_000)}` }),
        ...(lost() > 0 && { LostEntries: `${lost()}` }),
        ...(rejected() > 0 && { RejectedRecords: `${rejected()}` }),
      },
    };
    return { records: { AgentInfo: [record] }, gaps: [] };
  }
}
