import type { Reading } from '@vedette/server/collect/inventory/reading';
import type { Terminal } from '../progress.ts';

const barWidth = 20;
const interval = 100;
const lineInterval = 5_000;
/** Lines of the display: one a region, as far as they fit. */
const maxLines = 12;

/** Shows a bar for each region with the service that was read last; without a terminal a line every few seconds. */
export class ReadingProgress {
  readonly #terminal: Terminal;
  readonly #now: () => number;
  readonly #regions = new Map<string, { total: number; done: number; service: string }>();
  #lines = 0;
  #last: number;

  constructor(terminal: Terminal, now: () => number) {
    this.#terminal = terminal;
    this.#now = now;
    this.#last = now();
  }

  plan(readings: readonly Reading[]): void {
    for (const { region } of readings) {
      const entry = this.#regions.get(region) ?? { total: 0, done: 0, service: '' };
      entry.total++;
      this.#regions.set(region, entry);
    }
  }

  done({ region, service }: Reading, resources: number): void {
    const entry = this.#regions.get(region);
    if (entry) {
      entry.done++;
      entry.service = service;
    }
    this.#show(resources);
  }

  /** Removes the bars, so that the summary follows the prompt. */
  end(): void {
    if (this.#terminal.isTTY && this.#lines > 0) this.#terminal.write(`\x1b[${this.#lines}A\x1b[J`);
  }

  #show(resources: number): void {
    const now = this.#now();
    if (now - this.#last < (this.#terminal.isTTY ? interval : lineInterval)) return;
    this.#last = now;
    const all = [...this.#regions];
    const [total, done] = [sum(all.map(([, one]) => one.total)), sum(all.map(([, one]) => one.done))];
    const head = `${Math.floor((100 * done) / Math.max(1, total))} %, ${resources} resources`;
    if (!this.#terminal.isTTY) return void this.#terminal.write(`${head}\n`);
    const open = all.filter(([, one]) => one.done < one.total).slice(0, maxLines - 1);
    const lines = [head, ...open.map(([region, one]) => `${region.padEnd(16)} ${bar(one)} ${one.service}`)];
    const up = this.#lines > 0 ? `\x1b[${this.#lines}A` : '';
    this.#terminal.write(`${up}\x1b[J${lines.join('\n')}\n`);
    this.#lines = lines.length;
  }
}

function bar({ done, total }: { done: number; total: number }): string {
  const filled = Math.round((done / total) * barWidth);
  return `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
