import type { AlertMessage } from '../../../alerts/alert-message.ts';
import { boundedMessage } from '../../bounded-message.ts';

/** An object for each message. A repeat has the same key, so that it is there once. */
export default function s3Object(message: AlertMessage): { readonly key: string; readonly content: object } {
  const { account, startTime, alertId, deliveryId } = message;
  const day = startTime.slice(0, 10).replaceAll('-', '/');
  return {
    key: `alerts/${account}/${day}/${alertId}-${deliveryId}.json`,
    content: boundedMessage(message),
  };
}
