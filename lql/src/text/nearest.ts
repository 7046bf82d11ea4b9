import { editDistance } from './edit-distance.ts';

/** The most similar candidate within the edit-distance limit. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  // One edit per three characters.
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
