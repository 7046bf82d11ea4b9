import type { AlertMessage } from '../alerts/alert-message.ts';
import type { IntegrationData } from '../integrations/declaration.ts';
import type { Aws } from '../outbound/aws/aws.ts';
import type { S3 } from '../outbound/aws/s3.ts';
import type { GoogleTokens } from '../outbound/google/service-account.ts';
import type { Mail } from '../outbound/mail/mail.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Clock } from '../platform/clock.ts';
import type { ComposedReport } from '../reports/scheduled/composed-report.ts';

/** The record of a message in the external system, if its reply identifies one. */
export interface External {
  /** Its external id, for later messages. */
  readonly id: string;
  /** Link to the external record. */
  readonly link: string;
  /** A remark for the timeline of the alert. */
  readonly remark?: string;
}

/** Clients for channels that need more than HTTP requests. */
export interface Transports {
  readonly aws: Aws;
  readonly s3: S3;
  readonly google: GoogleTokens;
  /** Absent without a configured mail server. */
  readonly mail: Mail | undefined;
}

export interface Sending<Data = IntegrationData> {
  readonly message: AlertMessage;
  /** The settings of the channel, including secrets. */
  readonly data: Data;
  /** The external record of an earlier message about the same alert. */
  readonly earlier: External | undefined;
  readonly outbound: Outbound;
  readonly transports: Transports;
  readonly clock: Clock;
}

/** A report for a channel. */
export interface ReportSending<Data = IntegrationData> extends Pick<Sending<Data>, 'data' | 'transports'> {
  readonly deliveryId: string;
  readonly report: ComposedReport;
}

/** A channel type; `delivery/channels/<type>/send.ts` exports one as default. */
export interface Channel {
  /** Whether it sends closing messages; may depend on the settings. */
  readonly followsClosing?: boolean | ((data: IntegrationData) => boolean);
  /**
   * Resolves when the receiver has accepted the message; otherwise throws a `DeliveryError`, or an error of `outbound`.
   */
  send(sending: Sending): Promise<External | undefined>;
  /** Absent if it sends alerts only. */
  sendReport?(sending: ReportSending): Promise<External | undefined>;
}

/** The receiver did not accept the message. */
export class DeliveryError extends Error {
  /** Whether retries are pointless until the channel is changed. */
  readonly isFinal: boolean;
  readonly status: number | undefined;
  /** Milliseconds from the receiver's Retry-After. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    given: { isFinal?: boolean; status?: number; retryAfter?: number | undefined } = {},
  ) {
    super(message);
    this.isFinal = given.isFinal ?? false;
    this.status = given.status;
    this.retryAfter = given.retryAfter;
  }
}
