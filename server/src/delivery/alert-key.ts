import type { AlertMessage } from '../alerts/alert-message.ts';
import { cut } from './bounded-string.ts';

/** The same in all messages about an alert, so that its end finds its beginning; a test is about nothing else. */
export function alertKey({ occasion, account, alertId, deliveryId }: AlertMessage): string {
  const about = occasion === 'test' ? `test/${deliveryId}` : `alert/${alertId}`;
  return `vedette/${about}/${cut(account, 150)}`;
}
