import type { AlertMessage, Severity } from '../../../alerts/alert-message.ts';
import { alertKey } from '../../alert-key.ts';
import { truncate } from '../../bounded-string.ts';
import { plainText } from '../../plain-text.ts';
import { headline } from '../../wording.ts';

type MessageType = 'CRITICAL' | 'WARNING' | 'INFO' | 'RECOVERY';

/** Maximum characters of a field; `state_message` may have 20,480. */
const limit = 1_024;

const types: Readonly<Record<Severity, MessageType>> = {
  Critical: 'CRITICAL',
  High: 'CRITICAL',
  Medium: 'WARNING',
  Low: 'INFO',
  Info: 'INFO',
};

export default function onCallMessage(message: AlertMessage, _data: unknown, key = alertKey(message)) {
  const { account, policyId, severity, startTime, deliveryId, link } = message;
  return {
    message_type: typeOf(message),
    entity_id: key,
    entity_display_name: truncate(`[${severity}] ${headline(message)}`, 250),
    state_message: plainText(message),
    state_start_time: Math.floor(Date.parse(startTime) / 1_000),
    monitoring_tool: 'Vedette',
    account: truncate(account, limit),
    severity,
    policy_id: truncate(policyId, limit),
    delivery_id: deliveryId,
    ...(link !== '' && link.length <= limit && { 'vo_annotate.u.Alert': link }),
  };
}

/** A test message is informational and pages no one. */
function typeOf({ occasion, severity }: AlertMessage): MessageType {
  if (occasion === 'test') return 'INFO';
  return occasion === 'closed' ? 'RECOVERY' : types[severity];
}
