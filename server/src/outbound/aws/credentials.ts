export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** A role in the customer's AWS account, protected by an external id. */
export interface AwsRole {
  readonly roleArn: string;
  readonly externalId: string;
}
