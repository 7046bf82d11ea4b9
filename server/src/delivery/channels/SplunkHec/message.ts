import type { AlertMessage } from '../../../alerts/alert-message.ts';
import type { DataOf } from '../../../integrations/declaration.ts';
import { condensed, withinJsonBytes } from '../../condensed.ts';
import type declaration from './type.ts';

/** Field extraction stops after 10,240 characters of an event (`maxchars` in limits.conf). */
const limit = 10_000;

export default function splunkEvent(message: AlertMessage, { eventData }: DataOf<typeof declaration>) {
  const event = condensed(message, (bounded) => bounded, withinJsonBytes(limit));
  const { index, source } = eventData;
  return { time: Date.parse(message.startTime) / 1_000, index, source, sourcetype: 'vedette:alert', event };
}
