import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const interval = 10;
/** Its own address, so that limits on the attackers' addresses do not apply to it. */
const ownAddress = '127.0.0.99';

export interface Delays {
  readonly p99: number;
  readonly longest: number;
}

export interface Observation {
  /** Event loop delay, without the time in which the thread waited for a processor. */
  readonly delays: Delays;
  /** From the request to the response, unadjusted. */
  readonly latencies: Delays;
}

/**
 * Measures the delay of the server's event loop from outside: GET /healthz every 10 ms on a separate connection. It runs in a
 * separate thread, so that the attack's own work does not delay it. On a busy host threads wait for a processor; Linux
 * counts that time, and it is subtracted.
 */
export class Probe {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  static async start(port: number, pid: number): Promise<Probe> {
    const worker = new Worker(new URL(import.meta.url), { workerData: { port, pid } });
    await once(worker, 'message');
    return new Probe(worker);
  }

  async stop(): Promise<Observation> {
    const responded = once(this.#worker, 'message');
    this.#worker.postMessage('stop');
    const [observation] = (await responded) as [Observation];
    await this.#worker.terminate();
    return observation;
  }
}

/** Zeros if there are no delays. */
export function summarize(delays: readonly number[]): Delays {
  const sorted = [...delays].sort((one, other) => one - other);
  const at = Math.max(0, Math.ceil(sorted.length * 0.99) - 1);
  return { p99: sorted[at] ?? 0, longest: sorted.at(-1) ?? 0 };
}

/** A long delay also counts for the probes that were due meanwhile, or one stall would count as a single sample. */
export function withDueProbes(delay: number): number[] {
  return Array.from({ length: Math.max(1, Math.ceil(delay / interval)) }, (_, at) => delay - at * interval);
}

/** Milliseconds that a thread waited for a processor; zero if the system does not report it. */
function queued(thread: string): number {
  try {
    return Number(readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

if (!isMainThread && parentPort) void run(parentPort, workerData as { port: number; pid: number });

async function run(
  parent: NonNullable<typeof parentPort>,
  { port, pid }: { readonly port: number; readonly pid: number },
): Promise<void> {
  const delays: number[] = [];
  const latencies: number[] = [];
  let isStopped = false;
  let sent: { readonly at: number; readonly queued: number } | undefined;
  let wake = () => {};
  let socket: Socket | undefined;
  const queuedSoFar = () => queued(`${pid}/task/${pid}`) + queued('thread-self');
  const record = () => {
    if (!sent) return 0;
    const latency = performance.now() - sent.at;
    const delay = Math.max(0, latency - (queuedSoFar() - sent.queued));
    latencies.push(...withDueProbes(latency));
    delays.push(...withDueProbes(delay));
    sent = undefined;
    return latency;
  };
  const open = async () => {
    const fresh = connect({ host: '127.0.0.1', port, localAddress: ownAddress, noDelay: true });
    fresh.on('error', () => {});
    fresh.on('data', () => wake());
    fresh.on('close', () => {
      socket = undefined;
      wake();
    });
    socket = fresh;
    await Promise.race([once(fresh, 'connect'), once(fresh, 'close')]).catch(() => {});
  };
  parent.once('message', () => {
    isStopped = true;
    // A probe without a response has waited for at least this long.
    record();
    parent.postMessage({ delays: summarize(delays), latencies: summarize(latencies) } satisfies Observation);
  });
  await open();
  parent.postMessage('ready');
  while (!isStopped) {
    sent = { at: performance.now(), queued: queuedSoFar() };
    if (!socket) await open();
    const responded = new Promise<void>((resolve) => {
      wake = resolve;
    });
    socket?.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    if (socket) await responded;
    const latency = record();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, interval - latency)));
  }
}
