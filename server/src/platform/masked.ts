const maxVisibleLength = 8;

/** Shows a secret to callers who may know that it exists but must not use it. */
export function masked(secret: string): string {
  const visibleLength = secret.length > maxVisibleLength ? maxVisibleLength : Math.floor(secret.length / 2);
  return `${secret.slice(0, visibleLength)}…`;
}
