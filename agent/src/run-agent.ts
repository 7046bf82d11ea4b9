import { join } from 'node:path';
import { Agent } from './agent.ts';
import type { Configuration } from './configuration.ts';
import { Connection } from './delivery/connection.ts';
import { Sender } from './delivery/sender.ts';
import { TokenFile } from './delivery/token-file.ts';
import { Heartbeat } from './heartbeat.ts';
import { Journal } from './journal/journal.ts';
import { observedHost } from './observed-host.ts';
import { version } from './version.ts';
import { wait } from './wait.ts';

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly log: (message: string) => void;
}

/** Sources that a first heartbeat waits for, so that the agent is seen soon, and with most of what it misses. */
const beforeHeartbeat = 6;

/** Observes this host and reports it until the signal aborts. */
export async function runAgent(configuration: Configuration, { signal, log }: RunOptions): Promise<void> {
  const {
    server: url,
    token,
    stateDirectory,
    maxJournalBytes,
    authorityFile,
    certificateFile,
    keyFile,
  } = configuration;
  const { host, sources, machine } = await observedHost(configuration, signal);
  const journal = await Journal.open({
    directory: join(stateDirectory, 'journal'),
    maxBytes: maxJournalBytes,
  });
  const tokens = await TokenFile.open(stateDirectory, token);
  const connection = new Connection({
    url,
    authorityFile,
    certificateFile,
    keyFile,
    environment: process.env,
  });
  const sender = new Sender({
    ...{ journal, connection, wait, log },
    ...{ now: Date.now, random: Math.random, token: () => tokens.token },
    onToken: (given) => tokens.keep(given),
    onTokenRefused: () => tokens.refuse(),
  });
  const heartbeat = new Heartbeat({
    ...{ version, machine, gaps: () => agent.gaps },
    ...{ clockSkew: () => sender.clockSkew, lost: () => journal.lost, rejected: () => sender.rejected },
  });
  const agent = new Agent({
    ...{ host, journal, sender, wait, log },
    sources: sources.toSpliced(beforeHeartbeat, 0, heartbeat),
  });
  log(`The agent ${version} reports this host as machine ${host.mid} to ${url}.`);
  try {
    await Promise.all([agent.run(), sender.run(signal)]);
  } finally {
    connection.close();
    await journal.close();
  }
}
