import type { ManualClock } from './clock.ts';
import { expectGenuine } from './genuine.ts';
import { type Reaction, type Received, Receiver } from './receiver.ts';

export const googleHosts = ['oauth2.googleapis.com', 'pubsub.googleapis.com'];

interface Published {
  readonly data: string;
  visibleAt: number;
}

/** A subscription of Pub/Sub on loopback, in its REST form. Time is that of the clock; an empty pull answers at once. */
export class GoogleCloud {
  readonly receiver: Receiver;
  readonly messages = new Map<string, Published>();
  readonly acknowledged: string[] = [];
  readonly deadlines: number[] = [];
  instead: (received: Received) => Reaction | undefined = () => undefined;
  readonly #subscription: string;
  readonly #clock: ManualClock;

  private constructor(receiver: Receiver, subscription: string, clock: ManualClock) {
    this.receiver = receiver;
    this.#subscription = subscription;
    this.#clock = clock;
    receiver.react = (received) => this.instead(received) ?? this.#react(received);
  }

  static async start(subscription: string, clock: ManualClock): Promise<GoogleCloud> {
    return new GoogleCloud(await Receiver.start(googleHosts), subscription, clock);
  }

  publish(entry: unknown, id = `g${this.messages.size + 1}`): void {
    const text = typeof entry === 'string' ? entry : JSON.stringify(entry);
    this.messages.set(id, { data: Buffer.from(text).toString('base64'), visibleAt: 0 });
  }

  #react(received: Received): Reaction {
    expectGenuine(received);
    const { pathname, hostname } = new URL(received.url);
    if (hostname.startsWith('oauth2.')) return json({ access_token: 'ya29.canary', expires_in: 3_600 });
    const [path, method] = pathname.split(':');
    if (received.headers.authorization !== 'Bearer ya29.canary') return failure(401, 'UNAUTHENTICATED');
    if (decodeURIComponent(String(path)) !== `/v1/${this.#subscription}`) return failure(404, 'NOT_FOUND');
    const request = JSON.parse(received.body) as {
      ackIds: string[];
      maxMessages: number;
      ackDeadlineSeconds: number;
    };
    if (method === 'pull') return json(this.#pull(request.maxMessages));
    for (const ackId of request.ackIds) {
      if (method === 'acknowledge' && this.messages.delete(ackId)) this.acknowledged.push(ackId);
      const message = this.messages.get(ackId);
      if (!message || method !== 'modifyAckDeadline') continue;
      this.deadlines.push(request.ackDeadlineSeconds);
      message.visibleAt = this.#clock.now() + request.ackDeadlineSeconds * 1_000;
    }
    return json({});
  }

  #pull(maxMessages: number): object {
    const now = this.#clock.now();
    const visible = [...this.messages].filter(([, { visibleAt }]) => visibleAt <= now).slice(0, maxMessages);
    for (const [, message] of visible) message.visibleAt = now + 10_000;
    if (visible.length === 0) return {};
    return {
      receivedMessages: visible.map(([id, { data }]) => ({
        ackId: id,
        message: { data, messageId: id, publishTime: new Date(now).toISOString() },
      })),
    };
  }
}

function failure(code: number, status: string): Reaction {
  return { status: code, body: JSON.stringify({ error: { code, status, message: 'No.' } }) };
}

function json(body: object): Reaction {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
