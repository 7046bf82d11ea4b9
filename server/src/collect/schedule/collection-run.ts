import { type ChildProcess, fork } from 'node:child_process';
import { Refusal } from '../../platform/errors.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { BudgetUsage } from '../inventory/budget.ts';
import { CollectionSummary, type SavedSummary } from './collection-summary.ts';
import type { CollectionProgress } from './collections.ts';
import type { CollectorTask, FromCollector, ToCollector } from './collector-messages.ts';

export interface CollectionRunDeps {
  readonly account: string;
  readonly telemetry: Pick<Telemetry, 'stageResources' | 'finishSnapshot'>;
  readonly task: CollectorTask;
  /** Of the interrupted collection that this one continues. */
  readonly saved?: SavedSummary | undefined;
}

/** The heap of the process: a provider that answers too much ends the collection and nothing else. */
const maxHeapMegabytes = 512;
const program = new URL('./collector-process.js', import.meta.url);

/** One collection, in a process of its own: the clients of the clouds are never loaded into the server. */
export class CollectionRun {
  readonly summary: CollectionSummary;
  readonly #deps: CollectionRunDeps;
  readonly #process: ChildProcess;
  readonly #done = new Map<string, string[]>();
  #usage: readonly BudgetUsage[] = [];
  #isFinished = false;

  constructor(deps: CollectionRunDeps) {
    this.#deps = deps;
    this.summary = new CollectionSummary(deps.saved);
    for (const [target, ids] of Object.entries(deps.task.done)) this.#done.set(target, [...ids]);
    this.#process = fork(program, {
      execArgv: [`--max-old-space-size=${maxHeapMegabytes}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  }

  /** Resolves when the process has ended, with whether the collection is complete. */
  async run(signal: AbortSignal): Promise<boolean> {
    const { task } = this.#deps;
    const stop = () => this.#process.kill('SIGKILL');
    signal.addEventListener('abort', stop, { once: true });
    this.#process.on('message', (message: FromCollector) => void this.#receive(message));
    const exited = new Promise<void>((resolve) => {
      this.#process.once('exit', () => resolve());
      this.#process.once('error', () => resolve());
    });
    this.#send({ task });
    await exited;
    signal.removeEventListener('abort', stop);
    return this.#isFinished;
  }

  get progress(): CollectionProgress {
    return { done: Object.fromEntries(this.#done), summary: this.summary.saved };
  }

  get usage(): readonly BudgetUsage[] {
    return this.#usage;
  }

  async #receive(message: FromCollector): Promise<void> {
    if ('reading' in message) {
      this.summary.add(message.results);
      this.#done.set(message.target, [...(this.#done.get(message.target) ?? []), message.reading]);
    } else if ('problem' in message) this.summary.addProblem(message.problem);
    else if ('usage' in message) this.#usage = message.usage;
    else if ('finished' in message) this.#isFinished = true;
    else await this.#store(message);
  }

  async #store(message: Extract<FromCollector, { number: number }>): Promise<void> {
    const { account, telemetry } = this.#deps;
    const { id, number: answer } = message;
    try {
      if ('part' in message) {
        await telemetry.stageResources(account, id, message.part);
        this.#send({ answer });
      } else this.#send({ answer, effect: await telemetry.finishSnapshot(account, id, message.end) });
    } catch (error) {
      const reason = error instanceof Refusal ? error.message : 'The store failed.';
      this.#send({ answer, error: reason });
    }
  }

  #send(message: ToCollector): void {
    if (this.#process.connected) this.#process.send(message);
  }
}
