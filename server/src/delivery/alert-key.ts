import type { AlertMessage } from '../alerts/alert-message.ts';
import { truncate } from './bounded-string.ts';

/**
 * The same key in all messages about an alert, so that the closing message finds the incident; each test message has
 * its own.
 */
export function alertKey({ occasion, account, alertId, deliveryId }: AlertMessage): string {
  const about = occasion === 'test' ? `test/${deliveryId}` : `alert/${alertId}`;
  return `vedette/${about}/${truncate(account, 150)}`;
}
