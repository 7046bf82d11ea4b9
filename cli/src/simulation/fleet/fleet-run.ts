import { existsSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { Connection } from '@vedette/agent/delivery/connection';
import { wait } from '@vedette/agent/wait';
import { trustedAuthorities } from '../../authorities.ts';
import type { Report } from '../../command.ts';
import type { Destination } from '../../ingest/destination.ts';
import { connectionError } from '../../server-agent.ts';
import { UsageError } from '../../usage-error.ts';
import { Fleet } from './fleet.ts';
import { FleetProgress } from './fleet-progress.ts';
import { fleetReport } from './fleet-report.ts';

const progressInterval = 1_000;
/** Milliseconds for sending what waits at the end. */
const endPeriod = 300_000;

export interface FleetOptions {
  readonly agents: number;
  readonly seed: number;
  /** Until Ctrl-C if it is undefined. */
  readonly minutes: number | undefined;
}

/** Plays agents against a server until the time is over or the process is interrupted. */
export async function runFleet(
  { agents, seed, minutes }: FleetOptions,
  destination: Destination,
): Promise<Report> {
  const [stop, abandon] = [new AbortController(), new AbortController()];
  const interrupt = () => (stop.signal.aborted ? abandon.abort() : stop.abort());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  const progress = new FleetProgress(process.stderr, Date.now);
  const connect = connectionsTo(destination);
  await requireAccepted(connect(), destination, stop.signal);
  const fleet = new Fleet({
    ...{ agents, seed, connect, token: destination.token, now: Date.now, wait },
    log: (message) => progress.log(message),
  });
  const began = Date.now();
  const shown = setInterval(() => progress.show(fleet), progressInterval);
  try {
    fleet.start();
    await (minutes === undefined ? aborted(stop.signal) : wait(minutes * 60_000, stop.signal));
    const seconds = (Date.now() - began) / 1_000;
    const over = setTimeout(() => abandon.abort(), endPeriod);
    await fleet.stop(abandon.signal).finally(() => clearTimeout(over));
    return fleetReport(fleet, seconds);
  } finally {
    clearInterval(shown);
    progress.end();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  }
}

/** The connections share the authorities, of which each would otherwise hold all. */
function connectionsTo({ url, authorityFile }: Destination): () => Connection {
  const ca =
    authorityFile !== undefined && existsSync(authorityFile)
      ? trustedAuthorities(authorityFile, process.env)
      : undefined;
  const secureContext = url.startsWith('https:') ? createSecureContext(ca ? { ca } : {}) : undefined;
  return () => new Connection({ url, environment: process.env, ...(secureContext && { secureContext }) });
}

/** Agents try for ever; a wrong address or token is said at once. */
async function requireAccepted(
  connection: Connection,
  { url, token }: Destination,
  signal: AbortSignal,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
  const answer = await connection
    .post('/ingest/v1/AgentInfo', Buffer.alloc(0), headers, signal)
    .catch((error: NodeJS.ErrnoException) => {
      throw connectionError(url, error);
    })
    .finally(() => connection.close());
  if (answer.status === 401 || answer.status === 403)
    throw new UsageError(`The server rejected the agents with ${answer.status}: ${messageIn(answer.text)}`);
}

function messageIn(text: string): string {
  try {
    return String(JSON.parse(text).message);
  } catch {
    return 'no message.';
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
