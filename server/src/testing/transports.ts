import { generateKeyPairSync } from 'node:crypto';
import type { Transports } from '../delivery/channel.ts';
import { Aws } from '../outbound/aws/aws.ts';
import { BaseCredentials } from '../outbound/aws/base-credentials.ts';
import { S3 } from '../outbound/aws/s3.ts';
import { GoogleTokens } from '../outbound/google/service-account.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Clock } from '../platform/clock.ts';

/** AWS secrets by key id: of the service itself, and of the role in fixtures. */
export const awsSecrets: Readonly<Record<string, string>> = {
  AKIAOURSELVES: 'the canary that signs for ourselves',
  ASIAROLE: 'the canary that signs for the role',
};

export const googleKey = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

export function transportsWith(outbound: Outbound, clock: Clock, mail?: Transports['mail']): Transports {
  const environment = {
    AWS_ACCESS_KEY_ID: 'AKIAOURSELVES',
    AWS_SECRET_ACCESS_KEY: awsSecrets.AKIAOURSELVES,
  };
  const base = new BaseCredentials({ environment, metadata: outbound, clock });
  const aws = new Aws({ outbound, base, environment, clock });
  return { aws, s3: new S3(aws), google: new GoogleTokens(outbound, clock), mail };
}
