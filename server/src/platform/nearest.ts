import { editDistance } from '@vedette/lql/text/edit-distance';

/** Known names similar to a misspelled one, best first. */
export function nearest(name: string, known: Iterable<string>, max = 3): string[] {
  const target = name.toLowerCase();
  const ranked: { candidate: string; rank: number; distance: number }[] = [];
  for (const candidate of known) {
    const other = candidate.toLowerCase();
    const isSubstring =
      Math.min(target.length, other.length) > 2 && (other.includes(target) || target.includes(other));
    const threshold = Math.max(target.length, other.length) / 2;
    // The length difference is a lower bound of the distance, and there may be thousands of candidates.
    if (!isSubstring && Math.abs(target.length - other.length) > threshold) continue;
    const distance = editDistance(target, other, target.length + other.length);
    const rank = isSubstring ? Math.min(distance, 1) : distance;
    if (rank <= threshold) ranked.push({ candidate, rank, distance });
  }
  return ranked
    .sort((a, b) => a.rank - b.rank || a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, max)
    .map(({ candidate }) => candidate);
}

/** The last sentence of an error message: similar names, or another hint. */
export function suggestion(name: string, known: Iterable<string>, otherwise: string): string {
  const names = nearest(name, known);
  return names.length > 0 ? `Did you mean ${names.join(' or ')}?` : otherwise;
}
