import { formatInstant } from '@vedette/server/platform/instant';

/** Precedes the output with a notice while a restore holds deliveries. */
export function withHeldNotice(output: string, since: number | undefined): string {
  if (since === undefined) return output;
  return `Messages and exports have been held since the restore of ${formatInstant(since)}: run npx vedette deliveries release.\n${output}`;
}
