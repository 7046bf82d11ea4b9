import type { OutboundReply } from '../outbound/outbound.ts';
import { DeliveryError } from './channel.ts';
import { reasonIn } from './reason.ts';

/** Statuses after which a retry may succeed. */
const transientStatuses = new Set([408, 425, 429]);

/** Returns a successful reply; throws for any other status. */
export function requireSuccess(to: string, reply: OutboundReply, now: number): OutboundReply {
  const { status } = reply;
  if (status >= 200 && status < 300) return reply;
  throw new DeliveryError(replyMessage(to, reply), {
    status,
    isFinal: !isTransient(status),
    retryAfter: retryAfterOf(reply, now),
  });
}

/** Whether a retry may succeed. */
export function isTransient(status: number): boolean {
  return status >= 500 || transientStatuses.has(status);
}

/** The error message for a reply. */
export function replyMessage(to: string, { status, text }: OutboundReply): string {
  const reason = reasonIn(text);
  return reason === '' ? `${to} answered ${status}.` : `${to} answered ${status}: ${reason}`;
}

/** Milliseconds; the header has seconds or a date. */
function retryAfterOf({ headers }: OutboundReply, now: number): number | undefined {
  const text = headers['retry-after']?.trim();
  if (text === undefined || text === '') return undefined;
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.max(wait, 0);
}
