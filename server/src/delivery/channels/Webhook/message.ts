import { type AlertMessage, severityNumbers } from '../../../alerts/alert-message.ts';
import { boundedEntities } from '../../bounded-message.ts';
import { truncate } from '../../bounded-string.ts';
import { headline } from '../../wording.ts';

/** Flat members that existing webhook receivers expect, and the alert with the members of the API. */
export default function webhookBody(message: AlertMessage): object {
  const { deliveryId, occasion, severity, entities, newEntities, ...alert } = message;
  const description = truncate(message.description, 3_000);
  return {
    event_title: truncate(headline(message), 500),
    event_link: message.link,
    event_id: String(message.alertId),
    event_type: message.alertType,
    event_source: message.source,
    event_severity: String(severityNumbers[severity]),
    event_description: description,
    event_timestamp: message.startTime,
    lacework_account: message.account.toUpperCase(),
    delivery_id: deliveryId,
    occasion,
    alert: {
      ...alert,
      alertName: truncate(message.alertName, 500),
      subject: truncate(message.subject, 1_000),
      severity,
      description,
      ...(message.remediation !== undefined && { remediation: truncate(message.remediation, 3_000) }),
      entities: boundedEntities(entities),
      ...(newEntities && { newEntities: boundedEntities(newEntities) }),
    },
  };
}
