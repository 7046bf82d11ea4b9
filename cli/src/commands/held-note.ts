import { formatInstant } from '@vedette/server/platform/instant';

/** A list, and before it that nothing of it leaves, where a restore holds it. */
export function withHeldNote(listed: string, since: number | undefined): string {
  if (since === undefined) return listed;
  return `Messages and exports are held since the restore of ${formatInstant(since)}: run npx vedette deliveries release.\n${listed}`;
}
