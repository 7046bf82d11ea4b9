import { editDistance } from './edit-distance.ts';

/** The candidate that is most like the name, if any is: what somebody who mistyped it probably means. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  // One mistake in three letters: more makes it another word.
  let least = Math.floor(wanted.length / 3) + 1;
  for (const candidate of candidates) {
    const distance = candidate === name ? 0 : 0.5 + editDistance(wanted, candidate.toLowerCase(), least);
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}
