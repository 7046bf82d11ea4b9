import { OutboundError } from '../../../outbound/outbound.ts';
import type { Clock } from '../../../platform/clock.ts';
import { announcementsIn } from '../announcements.ts';
import { LogFault } from '../formats/log-fault.ts';
import { membersOf, nonEmpty } from '../formats/members.ts';
import {
  type Announcement,
  type AuditSource,
  hiddenSeconds,
  type LogObject,
  maxLogBytes,
  type QueueMessage,
} from '../source.ts';
import { type AzureStorage, AzureStorageError, isStorageUrl } from './azure-storage.ts';
import { queuedMessages } from './queued-messages.ts';

const maxMessages = 32;
/** The hour that a log belongs to, in its path. */
const hourPattern = /\/y=(\d{4})\/m=(\d{2})\/d=(\d{2})\/h=(\d{2})\/m=\d{2}\/[^/]+$/;
/** Azure appends to the log of an hour until some time after it. */
const grows = 3 * 3_600_000;

/** The activity log in blobs that are appended to, announced by Event Grid through a storage queue. */
export class AzureLogSource implements AuditSource {
  readonly format = 'azureActivity';
  readonly #storage: AzureStorage;
  readonly #queueUrl: string;
  readonly #clock: Clock;
  /** Receipts after a message was hidden for longer, which replaces them. */
  readonly #receipts = new Map<string, string>();

  constructor(storage: AzureStorage, queueUrl: string, clock: Clock) {
    if (!isStorageUrl(queueUrl, 'queue'))
      throw new OutboundError(
        'queueUrl is not the URL of a storage queue: use https://<account>.queue.core.windows.net/<queue>.',
        { isFinal: true },
      );
    this.#storage = storage;
    this.#queueUrl = queueUrl.replace(/[/?#]+$/, '');
    this.#clock = clock;
  }

  async receive(signal: AbortSignal): Promise<QueueMessage[]> {
    const url = `${this.#queueUrl}/messages?numofmessages=${maxMessages}&visibilitytimeout=${hiddenSeconds}`;
    const reply = await this.#storage.request('GET', url, { signal });
    this.#receipts.clear();
    return queuedMessages(reply.body.toString()).slice(0, maxMessages);
  }

  decode(
    messages: readonly QueueMessage[],
    refuse: (message: QueueMessage, reason: string) => void,
  ): Announcement[] {
    return announcementsIn(messages, refuse, (body) => blobsIn(body).map((url) => this.#object(url)));
  }

  async hide(messages: readonly QueueMessage[], seconds: number, signal: AbortSignal): Promise<void> {
    for (const message of messages) {
      const url = `${this.#urlOf(message)}&visibilitytimeout=${seconds}`;
      const { headers } = await this.#storage.request('PUT', url, { signal });
      const receipt = headers['x-ms-popreceipt'];
      if (receipt) this.#receipts.set(message.id, receipt);
    }
  }

  async delete(messages: readonly QueueMessage[], signal: AbortSignal): Promise<void> {
    for (const message of messages)
      await this.#storage.request('DELETE', this.#urlOf(message), { signal }).catch((error: unknown) => {
        // Delivered again meanwhile, or deleted before.
        if (!(error instanceof AzureStorageError && error.status === 404)) throw error;
      });
  }

  reopen(name: string): LogObject | undefined {
    return this.#isGrowing(name) && isStorageUrl(name, 'blob') ? this.#object(name) : undefined;
  }

  #object(url: string): LogObject {
    return {
      ...{ name: url, identity: url, isGrowing: true },
      fetch: (offset, signal) => this.#fetch(url, offset, signal),
    };
  }

  async #fetch(url: string, offset: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const range = `bytes=${offset}-${offset + maxLogBytes - 1}`;
    try {
      const { body } = await this.#storage.request('GET', url, {
        ...{ signal, headers: { 'x-ms-range': range }, maxBytes: maxLogBytes + 1 },
      });
      return body.length > 0 ? body : undefined;
    } catch (error) {
      if (!(error instanceof AzureStorageError)) throw error;
      // Nothing was appended.
      if (error.status === 416) return undefined;
      if (error.status === 404) throw new LogFault('does not exist any more');
      throw error;
    }
  }

  #isGrowing(url: string): boolean {
    const [, year, month, day, hour] = hourPattern.exec(url) ?? [];
    const begin = Date.parse(`${year}-${month}-${day}T${hour}:00:00Z`);
    return begin + grows > this.#clock.now();
  }

  #urlOf({ id, receipt }: QueueMessage): string {
    const current = this.#receipts.get(id) ?? receipt;
    return `${this.#queueUrl}/messages/${encodeURIComponent(id)}?popreceipt=${encodeURIComponent(current)}`;
  }
}

/** The blobs of the notices in a message; Event Grid sends one notice, or an array. */
function blobsIn(body: string): string[] {
  return [parsed(body)].flat().flatMap((each) => {
    const { eventType, type, data } = membersOf(each);
    const kind = nonEmpty(eventType) ?? nonEmpty(type);
    if (kind === undefined) throw new LogFault('is not a notice of Event Grid');
    const url = String(membersOf(data).url ?? '');
    if (kind !== 'Microsoft.Storage.BlobCreated' || !url.includes('/insights-activity-logs/')) return [];
    if (!isStorageUrl(url, 'blob') || url.includes('?'))
      throw new LogFault('names no blob of a storage account');
    return [url];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new LogFault('is not JSON');
  }
}
