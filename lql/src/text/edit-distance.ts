/**
 * Damerau-Levenshtein distance (optimal string alignment), cut off at `limit`.
 */
export function editDistance(left: string, right: string, limit: number): number {
  if (left === right) return 0;
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const current = [i];
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1];
      const changed = (previous[j - 1] as number) + (same ? 0 : 1);
      let cost = Math.min(changed, (previous[j] as number) + 1, (current[j - 1] as number) + 1);
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (swapped) cost = Math.min(cost, (before[j - 2] as number) + 1);
      current.push(cost);
    }
    if (Math.min(...current) >= limit && Math.min(...previous) >= limit) return limit;
    before = previous;
    previous = current;
  }
  return previous[right.length] as number;
}
