/** kubectl keeps a copy of the whole object, environment variables included. */
const lastApplied = 'metadata.annotations.kubectl\\.kubernetes\\.io/last-applied-configuration';

/** Redactions of an object without containers. */
export const objectSecrets = [lastApplied];

/** Redactions of an object whose pod specification is at the path. */
export function podSecrets(spec: string): readonly string[] {
  const lists = ['containers', 'initContainers', 'ephemeralContainers'];
  return [lastApplied, ...lists.map((list) => `${spec}.${list}.*.env.*.value`)];
}
