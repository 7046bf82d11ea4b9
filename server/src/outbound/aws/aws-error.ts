import { OutboundError, type OutboundReply } from '../outbound.ts';
import { isRegion } from './arn.ts';
import { xmlElement } from './xml.ts';

/** Error codes of transient failures: throttling, just expired credentials, a bucket being created, a wrong clock. */
const transientCodes =
  /throttl|slowdown|limitexceeded|toomanyrequests|requesttimeout|expiredtoken|internal|unavailable|temporaryredirect|tooskewed|requestexpired/i;

/** An error response of AWS. */
export class AwsError extends OutboundError {
  readonly status: number;
  readonly code: string;
  /** Milliseconds from the Retry-After header. */
  readonly retryAfter: number | undefined;
  /** The actual region of the bucket, if S3 reports it. */
  readonly bucketRegion: string | undefined;

  constructor(
    service: string,
    given: {
      status: number;
      code: string;
      reason: string;
      retryAfter?: number | undefined;
      bucketRegion?: string | undefined;
    },
  ) {
    const { status, code, reason } = given;
    super(`AWS ${service} answered ${status} ${code}${reason && `: ${reason}`}`, {
      isFinal: status < 500 && status !== 408 && status !== 429 && !transientCodes.test(code),
    });
    this.status = status;
    this.code = code;
    this.retryAfter = given.retryAfter;
    this.bucketRegion = isRegion(given.bucketRegion) ? given.bucketRegion : undefined;
  }

  /** Older services report errors as XML, newer ones as JSON. */
  static of(service: string, { status, headers, text }: OutboundReply): AwsError {
    const json = membersOf(text);
    const code = json.__type ?? headers['x-amzn-errortype'] ?? xmlElement(text, 'Code') ?? '';
    const reason = json.message ?? json.Message ?? xmlElement(text, 'Message') ?? '';
    return new AwsError(service, {
      status,
      code: nameOf(String(code)),
      reason: String(reason).slice(0, 300),
      retryAfter: secondsIn(headers['retry-after']),
      bucketRegion: headers['x-amz-bucket-region'] ?? xmlElement(text, 'Region'),
    });
  }
}

function secondsIn(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : undefined;
}

function membersOf(json: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(json));
  } catch {
    return {};
  }
}

/** Extracts the name from a code such as `com.amazonaws.events#AccessDenied:http://…`. */
function nameOf(code: string): string {
  return (
    code
      .replace(/^[^#]*#/, '')
      .split(':')[0]
      ?.slice(0, 100) ?? ''
  );
}
