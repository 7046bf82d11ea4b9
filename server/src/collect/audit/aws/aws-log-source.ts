import { announcementsIn } from '../announcements.ts';
import type { LogFormatName } from '../formats/log-formats.ts';
import type { Announcement, AuditSource, QueueMessage } from '../source.ts';
import type { AwsAccess } from './aws-access.ts';
import { type NoticedObject, noticedObjects } from './object-notice.ts';
import { S3Logs } from './s3-log-object.ts';
import { SqsQueue } from './sqs-queue.ts';

export interface AwsLogSourceOptions {
  readonly access: AwsAccess;
  readonly queueUrl: string;
  readonly format: LogFormatName;
  /** Objects that are no logs of this kind, such as digests, are passed over. */
  isLog(object: NoticedObject): boolean;
}

/** Logs in S3, announced by a queue of SQS. */
export class AwsLogSource implements AuditSource {
  readonly format: LogFormatName;
  readonly #queue: SqsQueue;
  readonly #logs: S3Logs;
  readonly #isLog: AwsLogSourceOptions['isLog'];

  constructor({ access, queueUrl, format, isLog }: AwsLogSourceOptions) {
    this.#queue = new SqsQueue(access, queueUrl);
    this.#logs = new S3Logs(access, this.#queue.region);
    this.#isLog = isLog;
    this.format = format;
  }

  receive(signal: AbortSignal): Promise<QueueMessage[]> {
    return this.#queue.receive(signal);
  }

  decode(
    messages: readonly QueueMessage[],
    refuse: (message: QueueMessage, reason: string) => void,
  ): Announcement[] {
    return announcementsIn(messages, refuse, (body) =>
      noticedObjects(body)
        .filter(this.#isLog)
        .map((object) => this.#logs.object(object)),
    );
  }

  hide(messages: readonly QueueMessage[], seconds: number, signal: AbortSignal): Promise<void> {
    return this.#queue.hide(messages, seconds, signal);
  }

  delete(messages: readonly QueueMessage[], signal: AbortSignal): Promise<void> {
    return this.#queue.delete(messages, signal);
  }
}
