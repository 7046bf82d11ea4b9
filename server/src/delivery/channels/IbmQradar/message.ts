import type { AlertMessage } from '../../../alerts/alert-message.ts';
import { condensed, withinJsonBytes } from '../../condensed.ts';

/** By default, the HTTP receiver splits longer payloads into several events. */
const limit = 8_192;

/** The whole body becomes one event. */
export default function qradarEvent(message: AlertMessage) {
  return condensed(message, (bounded) => ({ vendor: 'Vedette', ...bounded }), withinJsonBytes(limit));
}
