import type { AlertMessage, Severity } from '../../../alerts/alert-message.ts';
import { alertKey } from '../../alert-key.ts';
import { cut } from '../../bounded-text.ts';
import { condensed } from '../../condensed.ts';
import { plainText } from '../../plain-text.ts';
import { headline } from '../../wording.ts';

type MessageType = 'CRITICAL' | 'WARNING' | 'INFO' | 'RECOVERY';

/** Most characters of `state_message`, and of fields of one's own. */
const [limit, fieldLimit] = [20_480, 1_024];

const types: Readonly<Record<Severity, MessageType>> = {
  Critical: 'CRITICAL',
  High: 'CRITICAL',
  Medium: 'WARNING',
  Low: 'INFO',
  Info: 'INFO',
};

export default function onCallMessage(message: AlertMessage, _data: unknown, key = alertKey(message)) {
  return condensed(
    message,
    (told) => rendered(told, key),
    ({ state_message }) => state_message.length <= limit,
  );
}

function rendered(message: AlertMessage, key: string) {
  const { account, policyId, severity, startTime, deliveryId, link } = message;
  return {
    message_type: typeOf(message),
    entity_id: key,
    entity_display_name: cut(`[${severity}] ${headline(message)}`, 250),
    state_message: plainText(message),
    state_start_time: Math.floor(Date.parse(startTime) / 1_000),
    monitoring_tool: 'Vedette',
    account: cut(account, fieldLimit),
    severity,
    policy_id: cut(policyId, fieldLimit),
    delivery_id: deliveryId,
    ...(link !== '' && link.length <= fieldLimit && { 'vo_annotate.u.Alert': link }),
  };
}

/** A test is told and calls nobody. */
function typeOf({ occasion, severity }: AlertMessage): MessageType {
  if (occasion === 'test') return 'INFO';
  return occasion === 'closed' ? 'RECOVERY' : types[severity];
}
