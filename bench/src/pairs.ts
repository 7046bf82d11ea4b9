import { Sample } from './sample.ts';

export interface Timed {
  readonly ratio: Sample;
  /** Milliseconds. */
  readonly ours: Sample;
  readonly raw: Sample;
}

/** Times both interleaved, so that load on the host affects both. */
export async function timePairs(
  pairs: number,
  ours: () => unknown,
  raw: () => unknown,
  repetitions = 1,
): Promise<Timed> {
  const timed = { ratio: new Sample(), ours: new Sample(), raw: new Sample() };
  for (let pair = 0; pair < pairs; pair++) {
    const oursEarly = pair % 2 === 0 ? await timeOf(ours, repetitions) : undefined;
    const rawTime = await timeOf(raw, repetitions);
    const oursTime = oursEarly ?? (await timeOf(ours, repetitions));
    timed.ours.add(oursTime);
    timed.raw.add(rawTime);
    timed.ratio.add(oursTime / rawTime);
  }
  return timed;
}

/** Average milliseconds over the repetitions. */
export async function timeOf(work: () => unknown, repetitions = 1): Promise<number> {
  const start = performance.now();
  for (let repetition = 0; repetition < repetitions; repetition++) await work();
  return (performance.now() - start) / repetitions;
}
