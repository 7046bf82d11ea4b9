import { type Exchange, Load } from './load.ts';
import { Sample } from './sample.ts';
import type { ServerProcess } from './server-process.ts';

/** One server under its load, and what it did so far. */
export class Side {
  /** Answers that were counted, every one of them checked. */
  answers = 0;
  readonly rate = new Sample();
  /** Microseconds of processor time for one answer; says more than the rate when the machine is busy otherwise. */
  readonly cost = new Sample();
  readonly share = new Sample();
  readonly generatorShare = new Sample();
  readonly #server: ServerProcess;
  readonly #load: Load;

  constructor(server: ServerProcess, load: Load) {
    this.#server = server;
    this.#load = load;
  }

  async warmUp(milliseconds: number): Promise<void> {
    await this.#load.run(milliseconds);
  }

  async measure(milliseconds: number): Promise<number> {
    const before = this.#server.processorTime();
    const { answers, seconds, generatorShare } = await this.#load.run(milliseconds);
    const after = this.#server.processorTime();
    if (before !== undefined && after !== undefined) {
      this.cost.add(((after - before) * 1e6) / answers);
      this.share.add((after - before) / seconds);
    }
    this.answers += answers;
    this.rate.add(answers / seconds);
    this.generatorShare.add(generatorShare);
    return answers / seconds;
  }

  close(): void {
    this.#load.close();
  }
}

/** The real server against the baseline, in turns, so that whatever slows the machine slows both. */
export class Comparison {
  readonly ratio = new Sample();
  readonly ours: Side;
  readonly baseline: Side;

  private constructor(ours: Side, baseline: Side) {
    this.ours = ours;
    this.baseline = baseline;
  }

  static async open(ours: ServerProcess, baseline: ServerProcess, exchange: Exchange): Promise<Comparison> {
    const side = async (server: ServerProcess) => new Side(server, await Load.open(server.port, exchange));
    return new Comparison(await side(ours), await side(baseline));
  }

  async warmUp(milliseconds: number): Promise<void> {
    await this.ours.warmUp(milliseconds);
    await this.baseline.warmUp(milliseconds);
  }

  async measurePair(oursFirst: boolean, milliseconds: number): Promise<void> {
    const early = oursFirst ? await this.ours.measure(milliseconds) : undefined;
    const baseline = await this.baseline.measure(milliseconds);
    this.ratio.add((early ?? (await this.ours.measure(milliseconds))) / baseline);
  }

  close(): void {
    this.ours.close();
    this.baseline.close();
  }
}
