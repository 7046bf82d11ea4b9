import type { Aws, AwsRequest } from '../../../outbound/aws/aws.ts';
import type { AwsCredentials, AwsRole } from '../../../outbound/aws/credentials.ts';
import type { BulkOutbound, BulkReply, BulkRequest } from '../../../outbound/bulk-outbound.ts';

/** Calls to AWS as one principal, through the kept connections of the bulk client. */
export class AwsAccess {
  readonly #aws: Aws;
  readonly #outbound: BulkOutbound;
  readonly #as: AwsRole | AwsCredentials;

  constructor(aws: Aws, outbound: BulkOutbound, as: AwsRole | AwsCredentials) {
    this.#aws = aws;
    this.#outbound = outbound;
    this.#as = as;
  }

  get hasOwnEndpoint(): boolean {
    return this.#aws.hasOwnEndpoint;
  }

  homeOf(partition: string): string {
    return this.#aws.homeOf(partition);
  }

  /** Throws an `AwsError` for an error response. */
  async call(
    request: AwsRequest,
    options: Pick<BulkRequest, 'signal' | 'timeout' | 'maxBytes'>,
  ): Promise<BulkReply> {
    const { body, ...signed } = await this.#aws.signed(request, this.#as);
    const reply = await this.#outbound.fetch({ ...signed, ...(body !== '' && body && { body }), ...options });
    if (reply.status < 300) return reply;
    this.#aws.accepted(request, { ...reply, text: reply.body.toString() }, this.#as);
    return reply;
  }
}
