import { createHash } from 'node:crypto';
import type { AlertMessage } from '../alerts/alert-message.ts';
import type { Resource } from './issue-grouping.ts';

/**
 * By what a repeat, or the next alert about the same resource, is found on the other side: for an alert its delivery, for
 * a resource what it is and where it is tracked.
 */
export function groupKey(message: AlertMessage, where: string, resource?: Resource): string {
  if (!resource) return `vedette-${message.deliveryId}`;
  const parts = JSON.stringify([where, message.account, resource.kind, resource.name]);
  return `vedette-resource-${createHash('sha256').update(parts).digest('hex').slice(0, 32)}`;
}
