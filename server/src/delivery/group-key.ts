import { createHash } from 'node:crypto';
import type { AlertMessage } from '../alerts/alert-message.ts';
import type { Resource } from './issue-grouping.ts';

/**
 * The key to find the external record again, for a retry or the next alert about the same resource: the delivery for an
 * alert; kind, name and tracker for a resource.
 */
export function groupKey(message: AlertMessage, where: string, resource?: Resource): string {
  if (!resource) return `vedette-${message.deliveryId}`;
  const identity = JSON.stringify([where, message.account, resource.kind, resource.name]);
  return `vedette-resource-${createHash('sha256').update(identity).digest('hex').slice(0, 32)}`;
}
