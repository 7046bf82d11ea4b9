const shownCharacters = 8;

/** Shows a secret to callers who may know that it exists but must not use it. */
export function masked(secret: string): string {
  const shown = secret.length > shownCharacters ? shownCharacters : Math.floor(secret.length / 2);
  return `${secret.slice(0, shown)}…`;
}
