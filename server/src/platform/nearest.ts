import { editDistance } from '@vedette/lql/text/edit-distance';

/** The names closest to one that was mistyped, best first; those that share too little with it are left out. */
export function nearest(name: string, known: Iterable<string>, most = 3): string[] {
  const sought = name.toLowerCase();
  const rated: { candidate: string; rank: number; distance: number }[] = [];
  for (const candidate of known) {
    const other = candidate.toLowerCase();
    const isPart =
      Math.min(sought.length, other.length) > 2 && (other.includes(sought) || sought.includes(other));
    const enough = Math.max(sought.length, other.length) / 2;
    // Never less than what one is longer by: the known may be thousands, and finding out takes its time.
    if (!isPart && Math.abs(sought.length - other.length) > enough) continue;
    const distance = editDistance(sought, other, sought.length + other.length);
    const rank = isPart ? Math.min(distance, 1) : distance;
    if (rank <= enough) rated.push({ candidate, rank, distance });
  }
  return rated
    .sort((a, b) => a.rank - b.rank || a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** The last sentence of a refusal: the nearest names, or what else helps. */
export function suggestion(name: string, known: Iterable<string>, otherwise: string): string {
  const names = nearest(name, known);
  return names.length > 0 ? `Did you mean ${names.join(' or ')}?` : otherwise;
}
