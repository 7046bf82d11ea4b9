import { createHash } from 'node:crypto';
import type { BulkOutbound } from '../../../outbound/bulk-outbound.ts';
import type { GoogleServiceAccount, GoogleTokens } from '../../../outbound/google/service-account.ts';
import { OutboundError } from '../../../outbound/outbound.ts';
import type { LogFormatName } from '../formats/log-formats.ts';
import { membersOf } from '../formats/members.ts';
import { type Announcement, type AuditSource, hiddenSeconds, type QueueMessage } from '../source.ts';

export interface PubsubSourceOptions {
  readonly outbound: BulkOutbound;
  readonly tokens: GoogleTokens;
  readonly account: GoogleServiceAccount;
  /** `projects/<project>/subscriptions/<name>`. */
  readonly subscription: string;
  readonly format: LogFormatName;
}

const scope = 'https://www.googleapis.com/auth/pubsub';
const endpoint = 'https://pubsub.googleapis.com/v1/';
const maxMessages = 100;
/** An entry has at most 256 KB. */
const maxReplyBytes = 48 * 1024 * 1024;
/** Pub/Sub itself ends a pull without messages after about 90 seconds. */
const pullTimeout = 30_000;
const callTimeout = 30_000;
/** As long as Pub/Sub hides a message. */
const maxHiddenSeconds = 600;

/** Entries of Cloud Logging, each the content of a message of Pub/Sub. */
export class PubsubSource implements AuditSource {
  readonly format: LogFormatName;
  readonly #options: PubsubSourceOptions;

  constructor(options: PubsubSourceOptions) {
    this.format = options.format;
    this.#options = options;
  }

  async receive(signal: AbortSignal): Promise<QueueMessage[]> {
    const { receivedMessages } = await this.#call('pull', { maxMessages }, signal, pullTimeout);
    const messages = (Array.isArray(receivedMessages) ? receivedMessages : []).map((each) => {
      const { ackId, message } = membersOf(each);
      const { messageId, data } = membersOf(message);
      const body = Buffer.from(String(data ?? ''), 'base64').toString();
      return { id: String(messageId), receipt: String(ackId), body };
    });
    // The deadline of the subscription is shorter by default.
    if (messages.length > 0) await this.hide(messages, hiddenSeconds, signal);
    return messages;
  }

  /** All entries are stored together; those that can not be are set aside by themselves. */
  decode(messages: readonly QueueMessage[]): Announcement[] {
    const lines = messages.map(({ body }) => body.replaceAll(/[\r\n]+/g, ' ')).join('\n');
    const digest = createHash('sha256').update(lines).digest('hex').slice(0, 16);
    const name = `${this.#options.subscription} (batch ${digest})`;
    return [{ messages, objects: [{ name, identity: undefined, fetch: async () => Buffer.from(lines) }] }];
  }

  async hide(messages: readonly QueueMessage[], seconds: number, signal: AbortSignal): Promise<void> {
    const ackDeadlineSeconds = Math.min(seconds, maxHiddenSeconds);
    const ackIds = messages.map(({ receipt }) => receipt);
    await this.#call('modifyAckDeadline', { ackIds, ackDeadlineSeconds }, signal);
  }

  async delete(messages: readonly QueueMessage[], signal: AbortSignal): Promise<void> {
    await this.#call('acknowledge', { ackIds: messages.map(({ receipt }) => receipt) }, signal);
  }

  async #call(
    method: string,
    request: object,
    signal: AbortSignal,
    timeout = callTimeout,
  ): Promise<Record<string, unknown>> {
    const { outbound, tokens, account, subscription } = this.#options;
    const token = await tokens.get(account, scope);
    const reply = await outbound
      .fetch({
        method: 'POST',
        url: `${endpoint}${subscription.split('/').map(encodeURIComponent).join('/')}:${method}`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(request),
        ...{ signal, timeout, maxBytes: maxReplyBytes },
      })
      .catch((error: unknown) => {
        // A pull without messages ends by the time limit.
        if (
          method === 'pull' &&
          error instanceof OutboundError &&
          /did not respond within/.test(error.message)
        )
          return undefined;
        throw error;
      });
    if (!reply) return {};
    const body = parsed(reply.body);
    if (reply.status === 200) return body;
    if (reply.status === 401) tokens.forget(account, scope);
    const { status, message } = membersOf(body.error);
    throw new OutboundError(
      `Google Pub/Sub answered ${reply.status} ${status ?? ''}: ${String(message ?? '').slice(0, 300)}`,
    );
  }
}

const subscriptionPath = /^projects\/[^/]+\/subscriptions\/[^/]+$/;

/** Clients send the whole path or the name alone. */
export function subscriptionOf(name: string, project: string): string {
  const path = name.includes('/') ? name : `projects/${project}/subscriptions/${name}`;
  if (subscriptionPath.test(path) && !/\/\.{1,2}(?:\/|$)/.test(path)) return path;
  throw new OutboundError(
    'subscriptionName is not the name of a subscription: use projects/<project>/subscriptions/<name>.',
    { isFinal: true },
  );
}

function parsed(body: Buffer): Record<string, unknown> {
  try {
    return { ...membersOf(JSON.parse(body.toString() || '{}')) };
  } catch {
    return {};
  }
}
