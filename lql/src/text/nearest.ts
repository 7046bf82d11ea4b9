import { editDistance } from './edit-distance.ts';

/** The most similar candidate within the edit-distance limit. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const lowered = name.toLowerCase();
  let best: string | undefined;
  // One edit per three characters.
  let limit = Math.floor(lowered.length / 3) + 1;
  for (const candidate of candidates) {
    const distance = candidate === name ? 0 : 0.5 + editDistance(lowered, candidate.toLowerCase(), limit);
    if (distance < limit) {
      best = candidate;
      limit = distance;
    }
  }
  return best;
}
