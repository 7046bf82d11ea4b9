import type { IntegrationData } from '../../integrations/declaration.ts';
import type { LogFormatName } from './formats/log-formats.ts';

/** A message of a queue that announces logs. */
export interface QueueMessage {
  readonly id: string;
  /** Names this delivery of the message: what deletes it, or hides it for longer. */
  readonly receipt: string;
  readonly body: string;
}

/** A log that messages announce. */
export interface LogObject {
  /** For people: `s3://bucket/key`. */
  readonly name: string;
  /** Of the object and its content, for the ledger; undefined if only its records tell whether it is a repeat. */
  readonly identity: string | undefined;
  /** Whether it is appended to: then the identity is of the object alone, and the ledger has the bytes read. */
  readonly isGrowing?: boolean;
  /** The bytes from an offset on; undefined if there are no more. */
  fetch(offset: number, signal: AbortSignal): Promise<Uint8Array | undefined>;
}

/** The logs of some messages. Messages without any are deleted. */
export interface Announcement {
  readonly messages: readonly QueueMessage[];
  readonly objects: readonly LogObject[];
}

/** The steps of reading, as `state.details` names them. */
export interface StepNames {
  readonly receive: string;
  readonly decode: string;
  readonly get: string;
  readonly delete: string;
}

/** The queue of an integration and the logs that it announces. */
export interface AuditSource {
  readonly format: LogFormatName;
  /** The next messages, hidden from other readers for a while. May wait for some; returns none if there are none. */
  receive(signal: AbortSignal): Promise<readonly QueueMessage[]>;
  /**
   * The logs that messages announce; each message is in one announcement. A message that is no announcement is passed
   * to `refuse` with the reason, and not returned.
   */
  decode(
    messages: readonly QueueMessage[],
    refuse: (message: QueueMessage, reason: string) => void,
  ): readonly Announcement[];
  /** Hides messages for the time from now on. */
  hide(messages: readonly QueueMessage[], seconds: number, signal: AbortSignal): Promise<void>;
  delete(messages: readonly QueueMessage[], signal: AbortSignal): Promise<void>;
  /** A growing log by its name, to read on; undefined once it grows no more. */
  reopen?(name: string): LogObject | undefined;
}

/** How the queue of an integration type is read. */
export interface AuditSourceType {
  readonly steps: StepNames;
  /** Milliseconds before an empty queue is read again: little where reading waits for messages. */
  readonly pause: number;
  /** Throws an `OutboundError` for settings that lead to no queue. */
  open(data: IntegrationData): AuditSource;
}

/** Seconds for which a received message is hidden, extended while it is handled. */
export const hiddenSeconds = 60;
/** Bytes of a log as it is fetched. */
export const maxLogBytes = 32 * 1024 * 1024;
