import type { BulkReply } from '../../outbound/bulk-outbound.ts';

/** A provider that asks for a longer pause is treated as failing. */
const longestPause = 10 * 60_000;

/** The milliseconds after which a call may be repeated; undefined if it may not. */
export function retryPause({ status, headers }: BulkReply, attempt: number, now: number): number | undefined {
  if (status !== 429 && status !== 408 && status < 500) return undefined;
  const asked = retryAfter(headers['retry-after'], now) ?? resetsAfter(headers);
  const pause = asked ?? 1_000 * 2 ** (attempt - 1);
  return pause <= longestPause ? pause : undefined;
}

/** Resource Graph reports how many queries are left: after the last one, the window must end first. */
export function quotaPause(headers: BulkReply['headers']): number {
  return headers['x-ms-user-quota-remaining'] === '0' ? Math.min(resetsAfter(headers) ?? 0, longestPause) : 0;
}

/** Seconds or an HTTP date. */
function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** `hh:mm:ss` */
function resetsAfter(headers: BulkReply['headers']): number | undefined {
  const [, hours, minutes, seconds] =
    /^(\d{1,2}):(\d{2}):(\d{2})/.exec(headers['x-ms-user-quota-resets-after'] ?? '') ?? [];
  if (seconds === undefined) return undefined;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
}
