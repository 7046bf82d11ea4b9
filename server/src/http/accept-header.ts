/** The quality values (`q`) of an Accept or Accept-Encoding header by lowercase name; 0 means "not acceptable". */
export function qualityValues(header: string | undefined): ReadonlyMap<string, number> {
  if (!header) return new Map();
  return new Map(
    header
      .toLowerCase()
      .split(',')
      .map((element) => {
        const [name = '', ...parameters] = element.split(';').map((token) => token.trim());
        const weight = parameters.find((token) => token.startsWith('q='));
        return [name, weight === undefined ? 1 : Number(weight.slice(2))];
      }),
  );
}

/** The offered encoding with the highest quality value, the first one on a tie; undefined if none is acceptable. */
export function negotiateEncoding<Encoding extends string>(
  header: string | undefined,
  offered: readonly Encoding[],
): Encoding | undefined {
  if (!header) return undefined;
  const weights = qualityValues(header);
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const [best] = offered
    .filter((encoding) => weightOf(encoding) > 0)
    .sort((one, other) => weightOf(other) - weightOf(one));
  // Some clients prefer `identity` explicitly.
  return best !== undefined && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined;
}
