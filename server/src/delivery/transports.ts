import { Aws } from '../outbound/aws/aws.ts';
import { BaseCredentials } from '../outbound/aws/base-credentials.ts';
import { S3 } from '../outbound/aws/s3.ts';
import { GoogleTokens } from '../outbound/google/service-account.ts';
import { GuardedOutbound } from '../outbound/guarded-outbound.ts';
import { Mail } from '../outbound/mail/mail.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Clock } from '../platform/clock.ts';
import type { Configuration } from '../platform/configuration.ts';
import type { Transports } from './channel.ts';

export interface TransportDeps {
  readonly outbound: Outbound;
  readonly configuration: Configuration;
  /** Also contains the variables of the AWS tools. */
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
}

export function createTransports({ outbound, configuration, environment, clock }: TransportDeps): Transports {
  const { VEDETTE_SMTP_URL: server, VEDETTE_MAIL_FROM: from } = configuration;
  const metadata = new GuardedOutbound({ allowsPrivate: true });
  const base = new BaseCredentials({ environment, metadata, clock });
  const aws = new Aws({ outbound, base, environment, clock });
  return {
    aws,
    s3: new S3(aws),
    google: new GoogleTokens(outbound, clock),
    mail: server && from ? new Mail({ server, from, clock }) : undefined,
  };
}
