import { isRegion } from '../../../outbound/aws/arn.ts';
import { OutboundError } from '../../../outbound/outbound.ts';
import { membersOf } from '../formats/members.ts';
import { hiddenSeconds, type QueueMessage } from '../source.ts';
import type { AwsAccess } from './aws-access.ts';

/** As many as SQS allows. */
const maxMessages = 10;
const waitSeconds = 20;
/** A message has at most 1 MB. */
const maxReplyBytes = 24 * 1024 * 1024;
const callTimeout = 30_000;

const queueHost = /^(?:sqs(?:-fips)?\.([a-z0-9-]+)|([a-z0-9-]+)\.queue|(queue))\.amazonaws\.com(?:\.cn)?$/;

/** A queue of SQS, called by its JSON protocol. */
export class SqsQueue {
  readonly #access: AwsAccess;
  readonly #url: string;
  readonly region: string;

  constructor(access: AwsAccess, queueUrl: string) {
    this.#access = access;
    this.#url = queueUrl;
    this.region = regionOf(queueUrl, access);
  }

  async receive(signal: AbortSignal): Promise<QueueMessage[]> {
    const { Messages } = await this.#call(
      'ReceiveMessage',
      { MaxNumberOfMessages: maxMessages, WaitTimeSeconds: waitSeconds, VisibilityTimeout: hiddenSeconds },
      signal,
    );
    return (Array.isArray(Messages) ? Messages : []).slice(0, maxMessages).map((each) => {
      const { MessageId, ReceiptHandle, Body } = membersOf(each);
      return { id: String(MessageId), receipt: String(ReceiptHandle), body: String(Body ?? '') };
    });
  }

  async hide(messages: readonly QueueMessage[], seconds: number, signal: AbortSignal): Promise<void> {
    const entries = messages.map(({ receipt }, index) => ({
      ...{ Id: String(index), ReceiptHandle: receipt, VisibilityTimeout: seconds },
    }));
    // A message whose delivery has expired is delivered again anyway.
    await this.#call('ChangeMessageVisibilityBatch', { Entries: entries }, signal);
  }

  async delete(messages: readonly QueueMessage[], signal: AbortSignal): Promise<void> {
    const entries = messages.map(({ receipt }, index) => ({ Id: String(index), ReceiptHandle: receipt }));
    const { Failed } = await this.#call('DeleteMessageBatch', { Entries: entries }, signal);
    if (!Array.isArray(Failed) || Failed.length === 0) return;
    const { Code, Message } = membersOf(Failed[0]);
    throw new OutboundError(
      `AWS sqs did not delete ${Failed.length} messages: ${Code} ${Message ?? ''}`.trim(),
    );
  }

  async #call(action: string, parameters: object, signal: AbortSignal): Promise<Record<string, unknown>> {
    const body = JSON.stringify({ QueueUrl: this.#url, ...parameters });
    const reply = await this.#access.call(
      {
        service: 'sqs',
        region: this.region,
        method: 'POST',
        headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` },
        body,
      },
      { signal, timeout: waitSeconds * 1_000 + callTimeout, maxBytes: maxReplyBytes },
    );
    return parsed(reply.body);
  }
}

function parsed(body: Buffer): Record<string, unknown> {
  try {
    return { ...membersOf(JSON.parse(body.toString() || '{}')) };
  } catch {
    throw new OutboundError('AWS sqs answered with invalid JSON.');
  }
}

/** The region decides which host gets the signature, so only hosts of SQS are accepted. */
function regionOf(queueUrl: string, access: AwsAccess): string {
  const host = URL.canParse(queueUrl) ? new URL(queueUrl).hostname : '';
  const match = queueHost.exec(host);
  const region = match?.[1] ?? match?.[2] ?? (match?.[3] && 'us-east-1');
  if (isRegion(region)) return region;
  if (access.hasOwnEndpoint) return access.homeOf('aws');
  throw new OutboundError(
    'queueUrl is not the URL of an SQS queue: use https://sqs.<region>.amazonaws.com/<account>/<name>.',
    { isFinal: true },
  );
}
