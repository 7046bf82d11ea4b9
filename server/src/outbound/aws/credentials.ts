export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** A role of somebody who lets us in by the external id that he has chosen or was given. */
export interface AwsRole {
  readonly roleArn: string;
  readonly externalId: string;
}
