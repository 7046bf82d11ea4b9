import type { AlertMessage, Severity } from '../../../alerts/alert-message.ts';
import type { DataOf } from '../../../integrations/declaration.ts';
import { alertKey } from '../../alert-key.ts';
import { truncate } from '../../bounded-string.ts';
import { condensed, withinJsonBytes } from '../../condensed.ts';
import { headline } from '../../wording.ts';
import type declaration from './type.ts';

type Data = DataOf<typeof declaration>;

/** Maximum bytes of an event. */
const limit = 512_000;

const severities: Readonly<Record<Severity, 'critical' | 'error' | 'warning' | 'info'>> = {
  Critical: 'critical',
  High: 'error',
  Medium: 'warning',
  Low: 'info',
  Info: 'info',
};

/** Triggers an incident, or resolves it once the alert is closed. */
export default function pagerDutyEvent(message: AlertMessage, data: Data, key = alertKey(message)) {
  if (message.occasion === 'closed') return resolveEvent(data, key);
  return condensed(message, (bounded) => trigger(bounded, data, key), withinJsonBytes(limit));
}

export function resolveEvent({ apiIntgKey }: Data, key: string) {
  return { routing_key: apiIntgKey, dedup_key: key, event_action: 'resolve' };
}

function trigger(message: AlertMessage, { apiIntgKey }: Data, key: string) {
  const { severity, link } = message;
  return {
    routing_key: apiIntgKey,
    dedup_key: key,
    event_action: 'trigger',
    client: 'Vedette',
    ...(link !== '' && { client_url: link, links: [{ href: link, text: `Open alert ${message.alertId}` }] }),
    payload: {
      summary: truncate(`[${severity}] ${headline(message)}`, 1_024),
      source: truncate(message.account, 255),
      severity: message.occasion === 'test' ? 'info' : severities[severity],
      timestamp: message.startTime,
      component: truncate(message.source, 255),
      group: truncate(message.category, 255),
      class: truncate(message.alertType, 255),
      custom_details: message,
    },
  };
}
