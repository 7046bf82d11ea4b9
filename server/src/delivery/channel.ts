import type { AlertMessage } from '../alerts/alert-message.ts';
import type { IntegrationData } from '../integrations/declaration.ts';
import type { Aws } from '../outbound/aws/aws.ts';
import type { S3 } from '../outbound/aws/s3.ts';
import type { GoogleTokens } from '../outbound/google/service-account.ts';
import type { Mail } from '../outbound/mail/mail.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Clock } from '../platform/clock.ts';

/** What the other side made of a message, where it tells. */
export interface External {
  /** Its identifier there, for what follows. */
  readonly id: string;
  /** Where people find it. */
  readonly link: string;
  /** What people should know about it, for the timeline of the alert. */
  readonly remark?: string;
}

/** What some channels need besides plain requests. */
export interface Transports {
  readonly aws: Aws;
  readonly s3: S3;
  readonly google: GoogleTokens;
  /** Absent where the operator has set no mail server. */
  readonly mail: Mail | undefined;
}

export interface Sending<Data = IntegrationData> {
  readonly message: AlertMessage;
  /** The settings of the channel, secrets included. */
  readonly data: Data;
  /** What an earlier message about the same alert became. */
  readonly earlier: External | undefined;
  readonly outbound: Outbound;
  readonly transports: Transports;
  readonly clock: Clock;
}

/** How messages reach people through one type of channel: `delivery/channels/<type>/send.ts` exports one as default. */
export interface Channel {
  /** Whether it also tells when an alert is closed; it may depend on the settings. */
  readonly followsClosing?: boolean | ((data: IntegrationData) => boolean);
  /** Resolves when the other side has it; otherwise throws a `DeliveryError`, or what `outbound` throws. */
  send(sending: Sending): Promise<External | undefined>;
}

/** The other side did not take it. */
export class DeliveryError extends Error {
  /** Whether trying again is of no use before somebody changes the channel. */
  readonly isFinal: boolean;
  readonly status: number | undefined;
  /** Milliseconds that the other side asks to wait. */
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
