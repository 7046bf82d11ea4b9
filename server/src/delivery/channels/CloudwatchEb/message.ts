import type { AlertMessage } from '../../../alerts/alert-message.ts';
import type { IntegrationData } from '../../../integrations/declaration.ts';
import { boundedMessage } from '../../bounded-message.ts';
import { groups } from '../../issue-grouping.ts';

export interface BusEvent {
  readonly EventBusName: string;
  readonly Source: string;
  readonly DetailType: string;
  /** Seconds since the Unix epoch. */
  readonly Time: number;
  /** ARNs that rules can match. */
  readonly Resources: readonly string[];
  /** Sent as a JSON string. */
  readonly Detail: object;
}

const maxArns = 10;
const maxArnLength = 2_048;

export default function busEvents(message: AlertMessage, data: IntegrationData): readonly BusEvent[] {
  return groups(message, data.issueGrouping).map((resource) => ({
    EventBusName: String(data.eventBusArn),
    Source: 'vedette',
    DetailType: `Vedette Alert ${message.occasion}`,
    Time: Math.floor(Date.parse(message.startTime) / 1_000),
    Resources: (resource ? [resource.name] : message.entities.flatMap(({ names }) => names))
      .filter((name) => name.startsWith('arn:') && name.length <= maxArnLength)
      .slice(0, maxArns),
    Detail: boundedMessage(message, resource),
  }));
}
