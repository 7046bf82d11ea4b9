/** The weights that a client gives in Accept or Accept-Encoding, by name in small letters; 0 means: not that one. */
export function qualityValues(header: string | undefined): ReadonlyMap<string, number> {
  if (!header) return new Map();
  return new Map(
    header
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
        const weight = parameters.find((text) => text.startsWith('q='));
        return [name, weight === undefined ? 1 : Number(weight.slice(2))];
      }),
  );
}

/** Of the encodings that can be sent the one that the client likes best, of several the first; undefined for none. */
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
  // Some ask for the plain form above all.
  return best !== undefined && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined;
}
