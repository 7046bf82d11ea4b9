import { parseArn } from '../../../outbound/aws/arn.ts';
import { AwsError } from '../../../outbound/aws/aws-error.ts';
import type { OutboundReply } from '../../../outbound/outbound.ts';
import { type Channel, DeliveryError } from '../../channel.ts';
import busEvents from './message.ts';

const channel: Channel = {
  followsClosing: true,
  async send({ message, data, transports }) {
    const { region } = parseArn(String(data.eventBusArn), 'events', 'data.eventBusArn');
    if (region === '')
      throw new DeliveryError('data.eventBusArn has no region: correct it.', { isFinal: true });
    const events = busEvents(message, data);
    const reply = await transports.aws.request({
      service: 'events',
      region,
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AWSEvents.PutEvents' },
      body: JSON.stringify({
        Entries: events.map(({ Detail, ...entry }) => ({ ...entry, Detail: JSON.stringify(Detail) })),
      }),
    });
    throwIfFailed(reply);
    return undefined;
  },
};

/** A successful response may contain failed entries. */
function throwIfFailed({ status, text }: OutboundReply): void {
  const { FailedEntryCount, Entries } = replyIn(text);
  if (FailedEntryCount === 0) return;
  const failed = Entries?.find(({ ErrorCode }) => ErrorCode !== undefined);
  throw new AwsError('events', {
    status,
    code: failed?.ErrorCode ?? 'InternalFailure',
    reason: failed?.ErrorMessage ?? '',
  });
}

interface PutEventsReply {
  readonly FailedEntryCount?: number;
  readonly Entries?: readonly { ErrorCode?: string; ErrorMessage?: string }[];
}

function replyIn(text: string): PutEventsReply {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

export default channel;
