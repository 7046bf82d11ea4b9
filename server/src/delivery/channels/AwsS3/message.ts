import type { AlertMessage } from '../../../alerts/alert-message.ts';
import { boundedMessage } from '../../bounded-message.ts';

/** One object per message. A retry has the same key, so it overwrites the object. */
export default function s3Object(message: AlertMessage): { readonly key: string; readonly content: object } {
  const { account, startTime, alertId, deliveryId } = message;
  const day = startTime.slice(0, 10).replaceAll('-', '/');
  return {
    key: `alerts/${account}/${day}/${alertId}-${deliveryId}.json`,
    content: boundedMessage(message),
  };
}
