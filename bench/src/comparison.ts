import { type Exchange, Load } from './load.ts';
import { Sample } from './sample.ts';
import type { ServerProcess } from './server-process.ts';

/** One server under load, and its measurements. */
export class Side {
  /** Every counted response was checked. */
  responses = 0;
  readonly rate = new Sample();
  /** Microseconds of processor time per response; more reliable than the rate on a busy host. */
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
    const { responses, seconds, generatorShare } = await this.#load.run(milliseconds);
    const after = this.#server.processorTime();
    if (before !== undefined && after !== undefined) {
      this.cost.add(((after - before) * 1e6) / responses);
      this.share.add((after - before) / seconds);
    }
    this.responses += responses;
    this.rate.add(responses / seconds);
    this.generatorShare.add(generatorShare);
    return responses / seconds;
  }

  close(): void {
    this.#load.close();
  }
}

/** The real server against the baseline, interleaved, so that load on the host affects both. */
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
    const oursEarly = oursFirst ? await this.ours.measure(milliseconds) : undefined;
    const baseline = await this.baseline.measure(milliseconds);
    this.ratio.add((oursEarly ?? (await this.ours.measure(milliseconds))) / baseline);
  }

  close(): void {
    this.ours.close();
    this.baseline.close();
  }
}
