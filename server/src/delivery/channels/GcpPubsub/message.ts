import type { AlertMessage } from '../../../alerts/alert-message.ts';
import type { IntegrationData } from '../../../integrations/declaration.ts';
import { boundedMessage } from '../../bounded-message.ts';
import { truncate } from '../../bounded-string.ts';
import { groups } from '../../issue-grouping.ts';

export interface PubsubMessage {
  /** Published as JSON. */
  readonly data: object;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Subscriptions filter by attributes; a value may have 1024 bytes. */
export default function pubsubMessages(
  message: AlertMessage,
  data: IntegrationData,
): readonly PubsubMessage[] {
  const { deliveryId, occasion, account, alertId, severity, policyId, category } = message;
  return groups(message, data.issueGrouping).map((resource) => ({
    data: boundedMessage(message, resource),
    attributes: {
      deliveryId,
      occasion,
      account,
      alertId: String(alertId),
      severity,
      policyId: truncate(policyId, 250),
      category: truncate(category, 250),
      ...(resource && { resource: truncate(resource.name, 250) }),
    },
  }));
}
