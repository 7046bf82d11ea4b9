import type { Terminal } from '../../progress.ts';
import type { Fleet } from './fleet.ts';

const lineInterval = 5_000;
/** Different messages of agents that are shown. */
const maxMessages = 20;

/** Shows what a fleet has sent, in one line of a terminal, otherwise in a line every few seconds. */
export class FleetProgress {
  readonly #terminal: Terminal;
  readonly #now: () => number;
  readonly #start: number;
  readonly #messages = new Set<string>();
  #shownAt: number;

  constructor(terminal: Terminal, now: () => number) {
    this.#terminal = terminal;
    this.#now = now;
    this.#start = now();
    this.#shownAt = this.#start;
  }

  show(fleet: Fleet): void {
    const now = this.#now();
    if (!this.#terminal.isTTY && now - this.#shownAt < lineInterval) return;
    this.#shownAt = now;
    const { counts, size, behind } = fleet;
    const seconds = Math.max(1, Math.round((now - this.#start) / 1_000));
    const { batches, records } = counts.acknowledged;
    const words = [
      `${seconds} s`,
      `${counts.agents} of ${size} agents connected`,
      `${batches} batches, ${records} records stored`,
      `${counts.refusals} refused`,
      `${counts.unanswered} unanswered`,
      `${counts.retried} sent again`,
      `${behind} agents sending`,
    ].join(', ');
    this.#terminal.write(this.#terminal.isTTY ? `\r\x1b[K${words}` : `${words}\n`);
  }

  /** All agents say the same: each message is shown once. */
  log(message: string): void {
    if (this.#messages.has(message) || this.#messages.size >= maxMessages) return;
    this.#messages.add(message);
    this.#terminal.write(this.#terminal.isTTY ? `\r\x1b[K${message}\n` : `${message}\n`);
  }

  end(): void {
    if (this.#terminal.isTTY) this.#terminal.write('\n');
  }
}
