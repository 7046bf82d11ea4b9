import type { AlertMessage } from '../../../alerts/alert-message.ts';
import { condensed, fitsJson } from '../../condensed.ts';

/** The HTTP receiver splits what is longer into several events, unless its log source says otherwise. */
const limit = 8_192;

/** The whole body becomes one event. */
export default function qradarEvent(message: AlertMessage) {
  return condensed(message, (told) => ({ vendor: 'Vedette', ...told }), fitsJson(limit));
}
