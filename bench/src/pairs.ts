import { Sample } from './sample.ts';

export interface Timed {
  readonly ratio: Sample;
  /** Milliseconds. */
  readonly ours: Sample;
  readonly raw: Sample;
}

/** Does one and the other in turns, so that whatever slows the machine slows both. */
export async function timePairs(
  pairs: number,
  ours: () => unknown,
  raw: () => unknown,
  repetitions = 1,
): Promise<Timed> {
  const timed = { ratio: new Sample(), ours: new Sample(), raw: new Sample() };
  for (let pair = 0; pair < pairs; pair++) {
    const early = pair % 2 === 0 ? await timeOf(ours, repetitions) : undefined;
    const plain = await timeOf(raw, repetitions);
    const mine = early ?? (await timeOf(ours, repetitions));
    timed.ours.add(mine);
    timed.raw.add(plain);
    timed.ratio.add(mine / plain);
  }
  return timed;
}

/** Milliseconds of one, over some repetitions. */
export async function timeOf(work: () => unknown, repetitions = 1): Promise<number> {
  const start = performance.now();
  for (let turn = 0; turn < repetitions; turn++) await work();
  return (performance.now() - start) / repetitions;
}
