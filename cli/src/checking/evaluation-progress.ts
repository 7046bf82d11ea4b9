import { counted } from '@vedette/server/reports/compliance/wording';
import type { Terminal } from '../progress.ts';

const width = 30;

/** Shows a bar on a terminal; otherwise one line. */
export class EvaluationProgress {
  readonly #terminal: Terminal;
  readonly #total: number;

  constructor(terminal: Terminal, total: number) {
    this.#terminal = terminal;
    this.#total = total;
    if (terminal.isTTY) this.show(0);
    else terminal.write(`Evaluating ${counted(total, 'policy', 'policies')}.\n`);
  }

  show(done: number): void {
    if (!this.#terminal.isTTY) return;
    const filled = Math.round((width * done) / this.#total);
    const bar = `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]`;
    this.#terminal.write(`\r\x1b[K${bar} ${done} of ${this.#total} policies`);
  }

  end(): void {
    if (this.#terminal.isTTY) this.#terminal.write('\r\x1b[K');
  }
}
