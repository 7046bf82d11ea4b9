import type { Sender } from './delivery/sender.ts';
import type { Host } from './host/host.ts';
import type { Journal } from './journal/journal.ts';
import { entriesOf, type ReportContext } from './report.ts';
import type { Gap, Source } from './source.ts';
import { unlessAborted } from './wait.ts';

/** What an agent needs of its host, whatever the sources read. */
export type AgentHost = Pick<Host, 'mid' | 'now' | 'signal'>;

export interface AgentDeps<ObservedHost extends AgentHost = Host> {
  readonly host: ObservedHost;
  /** In the order in which they are first observed. */
  readonly sources: readonly Source<ObservedHost>[];
  readonly journal: Pick<Journal, 'append' | 'cursor'> & Pick<ReportContext, 'memory'>;
  readonly sender: Pick<Sender, 'wake'>;
  /** Resolves earlier if the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly log: (message: string) => void;
}

interface Schedule<ObservedHost> {
  readonly source: Source<ObservedHost>;
  dueAt: number;
}

/** Observes the sources at their intervals, one after the other, and adds what is new to the journal. */
export class Agent<ObservedHost extends AgentHost = Host> {
  readonly #deps: AgentDeps<ObservedHost>;
  readonly #schedules: Schedule<ObservedHost>[];
  readonly #gaps = new Map<string, readonly Gap[]>();

  constructor(deps: AgentDeps<ObservedHost>) {
    this.#deps = deps;
    this.#schedules = deps.sources.map((source) => ({ source, dueAt: -Infinity }));
  }

  /** What is missing in the last reports, by source. */
  get gaps(): ReadonlyMap<string, readonly Gap[]> {
    return this.#gaps;
  }

  /** Until the host's signal aborts. */
  async run(): Promise<void> {
    const { host, wait } = this.#deps;
    while (!host.signal.aborted) {
      await this.observeDue();
      const next = Math.min(...this.#schedules.map(({ dueAt }) => dueAt));
      await wait(Math.max(0, next - host.now()), host.signal);
    }
  }

  /** Observes each source that is due once. */
  async observeDue(): Promise<void> {
    const { host } = this.#deps;
    for (const schedule of this.#schedules) {
      const began = host.now();
      // A clock that was set back must not stop a source for long.
      if (schedule.dueAt > began && schedule.dueAt <= began + schedule.source.interval) continue;
      if (host.signal.aborted) return;
      await this.#observe(schedule.source);
      schedule.dueAt = began + schedule.source.interval;
    }
  }

  /** A source that fails is tried again at its next interval; the others go on. */
  async #observe(source: Source<ObservedHost>): Promise<void> {
    const { host, journal, sender } = this.#deps;
    const at = host.now();
    try {
      const observing = source.observe(host, journal.cursor(source.name));
      // One in progress when the agent stops is given up: its cursor is not stored, so that nothing is lost.
      const observation = await unlessAborted(observing, host.signal);
      if (!observation) return;
      const context = { source: source.name, mid: host.mid, at, memory: journal.memory };
      for (const entry of entriesOf(observation, context)) {
        await journal.append(entry);
        sender.wake();
      }
      this.#note(source.name, observation.gaps);
    } catch (error) {
      if (host.signal.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      this.#note(source.name, [{ what: source.name, reason: `They could not be reported: ${reason}` }]);
    }
  }

  /** Logs gaps that are new. */
  #note(source: string, gaps: readonly Gap[]): void {
    const known = new Set(this.#gaps.get(source)?.map(textOf));
    for (const gap of gaps) if (!known.has(textOf(gap))) this.#deps.log(`Missing: ${textOf(gap)}`);
    this.#gaps.set(source, gaps);
  }
}

function textOf({ what, reason }: Gap): string {
  return `${what}. ${reason}`;
}
