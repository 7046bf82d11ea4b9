import { gzipSync } from 'node:zlib';
import type { ManualClock } from './clock.ts';
import { expectGenuine } from './genuine.ts';
import { type Reaction, type Received, Receiver } from './receiver.ts';
import { awsSecrets } from './transports.ts';

interface SentMessage {
  readonly body: string;
  visibleAt: number;
  receives: number;
}

const region = 'eu-west-1';
const bucketHosts = ['trail-logs', 'audit-logs', 'foreign'].map(
  (name) => `${name}.s3.${region}.amazonaws.com`,
);

export const awsHosts = [
  ...['sts.us-east-1.amazonaws.com', 'sts.us-gov-west-1.amazonaws.com', `sqs.${region}.amazonaws.com`],
  ...['sqs.us-gov-west-1.amazonaws.com', 'trail-logs.s3.us-gov-west-1.amazonaws.com'],
  ...bucketHosts,
];

export const queueUrl = `https://sqs.${region}.amazonaws.com/111122223333/trail`;

/** SQS, S3 and STS on loopback, in their wire forms. Time is that of the clock; an empty queue answers at once. */
export class AwsCloud {
  readonly receiver: Receiver;
  readonly messages = new Map<string, SentMessage>();
  /** By bucket and key. */
  readonly objects = new Map<string, Buffer>();
  /** Ids of deleted messages in order. */
  readonly deleted: string[] = [];
  /** Seconds for which messages were hidden again. */
  readonly hidden: number[] = [];
  /** Overrides the reaction to a request. */
  instead: (received: Received) => Reaction | undefined = () => undefined;
  /** Called before messages are deleted. */
  onDelete: (ids: readonly string[]) => void = () => {};
  readonly #clock: ManualClock;

  private constructor(receiver: Receiver, clock: ManualClock) {
    this.receiver = receiver;
    this.#clock = clock;
    receiver.react = (received) => this.instead(received) ?? this.#react(received);
  }

  static async start(clock: ManualClock): Promise<AwsCloud> {
    return new AwsCloud(await Receiver.start(awsHosts), clock);
  }

  send(body: unknown, id = `m${this.messages.size + this.deleted.length + 1}`): string {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    this.messages.set(id, { body: text, visibleAt: 0, receives: 0 });
    return id;
  }

  /** Stores a log of CloudTrail. */
  put(key: string, records: readonly object[], bucket = 'trail-logs'): void {
    this.objects.set(`${bucket}/${key}`, gzipSync(JSON.stringify({ Records: records })));
  }

  /** How often each object was read. */
  get reads(): string[] {
    return this.receiver.received
      .filter(({ method }) => method === 'GET')
      .map(({ url }) => decodeURIComponent(new URL(url).pathname.slice(1)));
  }

  #react(received: Received): Reaction {
    expectGenuine(received);
    const { url, headers } = received;
    const { hostname } = new URL(url);
    if (hostname.startsWith('sts.')) return assumedRole;
    if (hostname.startsWith('sqs.'))
      return this.#queue(String(headers['x-amz-target']), JSON.parse(received.body));
    return this.#object(hostname.split('.')[0] as string, decodeURIComponent(new URL(url).pathname.slice(1)));
  }

  #queue(
    target: string,
    request: { Entries?: { Id: string; ReceiptHandle: string; VisibilityTimeout: number }[] },
  ): Reaction {
    if (target === 'AmazonSQS.ReceiveMessage') return json({ Messages: this.#receive(request as never) });
    const entries = request.Entries ?? [];
    const ids = entries.map(({ ReceiptHandle }) => ReceiptHandle.split(' ')[0] as string);
    if (target === 'AmazonSQS.DeleteMessageBatch') {
      this.onDelete(ids);
      for (const id of ids) if (this.messages.delete(id)) this.deleted.push(id);
    } else {
      for (const [index, { VisibilityTimeout }] of entries.entries()) {
        this.hidden.push(VisibilityTimeout);
        const message = this.messages.get(ids[index] as string);
        if (message) message.visibleAt = this.#clock.now() + VisibilityTimeout * 1_000;
      }
    }
    return json({ Successful: entries.map(({ Id }) => ({ Id })), Failed: [] });
  }

  #receive({
    MaxNumberOfMessages,
    VisibilityTimeout,
  }: {
    MaxNumberOfMessages: number;
    VisibilityTimeout: number;
  }) {
    const now = this.#clock.now();
    const visible = [...this.messages].filter(([, { visibleAt }]) => visibleAt <= now);
    return visible.slice(0, MaxNumberOfMessages).map(([id, message]) => {
      message.visibleAt = now + VisibilityTimeout * 1_000;
      message.receives++;
      return { MessageId: id, ReceiptHandle: `${id} ${message.receives}`, Body: message.body };
    });
  }

  #object(bucket: string, key: string): Reaction {
    const body = this.objects.get(`${bucket}/${key}`);
    if (body) return { body };
    return s3Error(404, 'NoSuchKey');
  }
}

export function s3Error(status: number, code: string, members = ''): Reaction {
  const xml = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}.</Message>${members}</Error>`;
  return { status, headers: { 'content-type': 'application/xml' }, body: xml };
}

export const notification = (
  key: string,
  { bucket = 'trail-logs', eTag = 'e1', region: awsRegion = region, size = 1_000 } = {},
) => ({
  Records: [
    {
      ...{ eventVersion: '2.1', eventSource: 'aws:s3', awsRegion, eventName: 'ObjectCreated:Put' },
      s3: {
        bucket: { name: bucket, arn: `arn:aws:s3:::${bucket}` },
        object: { key: encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/'), size, eTag },
      },
    },
  ],
});

export const inTopic = (message: unknown) => ({
  ...{ Type: 'Notification', MessageId: '1', TopicArn: 'arn:aws:sns:eu-west-1:111122223333:trail' },
  Message: typeof message === 'string' ? message : JSON.stringify(message),
});

const assumedRole: Reaction = {
  body: [
    '<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASIAROLE</AccessKeyId>',
    `<SecretAccessKey>${awsSecrets.ASIAROLE}</SecretAccessKey><SessionToken>t</SessionToken>`,
    '<Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>',
  ].join(''),
};

function json(body: object): Reaction {
  return { headers: { 'content-type': 'application/x-amz-json-1.0' }, body: JSON.stringify(body) };
}
