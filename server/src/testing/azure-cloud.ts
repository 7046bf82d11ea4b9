import type { ManualClock } from './clock.ts';
import { type Reaction, type Received, Receiver } from './receiver.ts';

export const azureHosts = [
  'login.microsoftonline.com',
  'logs.queue.core.windows.net',
  'logs.blob.core.windows.net',
];

interface Queued {
  readonly text: string;
  visibleAt: number;
  receipt: number;
}

/** A storage queue and blobs on loopback, in their REST form. Time is that of the clock. */
export class AzureCloud {
  readonly receiver: Receiver;
  readonly messages = new Map<string, Queued>();
  readonly deleted: string[] = [];
  /** By URL. */
  readonly blobs = new Map<string, string>();
  /** Ranges that were read. */
  readonly ranges: string[] = [];
  readonly #clock: ManualClock;

  private constructor(receiver: Receiver, clock: ManualClock) {
    this.receiver = receiver;
    this.#clock = clock;
    receiver.react = (received) => this.#react(received);
  }

  static async start(clock: ManualClock): Promise<AzureCloud> {
    return new AzureCloud(await Receiver.start(azureHosts), clock);
  }

  send(notice: unknown): void {
    const text = Buffer.from(typeof notice === 'string' ? notice : JSON.stringify(notice)).toString('base64');
    const id = `a${this.messages.size + this.deleted.length + 1}`;
    this.messages.set(id, { text, visibleAt: 0, receipt: 0 });
  }

  #react(received: Received): Reaction {
    const { hostname, pathname, searchParams } = new URL(received.url);
    if (hostname.startsWith('login.'))
      return { body: JSON.stringify({ access_token: 'canary', expires_in: 3_600 }) };
    if (received.headers.authorization !== 'Bearer canary')
      return failure(401, 'NoAuthenticationInformation');
    if (hostname.includes('.blob.')) return this.#blob(received);
    const id = /\/messages\/(.+)$/.exec(pathname)?.[1];
    if (id === undefined) return this.#receive(Number(searchParams.get('visibilitytimeout')));
    const message = this.messages.get(decodeURIComponent(id));
    if (!message || searchParams.get('popreceipt') !== `${id}/${message.receipt}`)
      return failure(404, 'MessageNotFound');
    if (received.method === 'DELETE') {
      this.messages.delete(id);
      this.deleted.push(id);
      return { status: 204 };
    }
    message.receipt++;
    message.visibleAt = this.#clock.now() + Number(searchParams.get('visibilitytimeout')) * 1_000;
    return { status: 204, headers: { 'x-ms-popreceipt': `${id}/${message.receipt}` } };
  }

  #receive(seconds: number): Reaction {
    const now = this.#clock.now();
    const visible = [...this.messages].filter(([, { visibleAt }]) => visibleAt <= now).slice(0, 32);
    const xml = visible.map(([id, message]) => {
      message.visibleAt = now + seconds * 1_000;
      message.receipt++;
      return `<QueueMessage><MessageId>${id}</MessageId><PopReceipt>${id}/${message.receipt}</PopReceipt><DequeueCount>1</DequeueCount><MessageText>${message.text}</MessageText></QueueMessage>`;
    });
    return {
      body: `<?xml version="1.0" encoding="utf-8"?><QueueMessagesList>${xml.join('')}</QueueMessagesList>`,
    };
  }

  #blob({ url, headers }: Received): Reaction {
    const blob = this.blobs.get(url);
    if (blob === undefined) return failure(404, 'BlobNotFound');
    const range = String(headers['x-ms-range']);
    this.ranges.push(range);
    const start = Number(/bytes=(\d+)-/.exec(range)?.[1]);
    if (start >= Buffer.byteLength(blob)) return failure(416, 'InvalidRange');
    return { status: 206, body: Buffer.from(blob).subarray(start) };
  }
}

function failure(status: number, code: string): Reaction {
  const body = `<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>No.</Message></Error>`;
  return { status, headers: { 'x-ms-error-code': code }, body };
}
