import { OutboundError, type OutboundReply } from '../outbound.ts';
import { isRegion } from './arn.ts';
import { xmlText } from './xml.ts';

/** Refusals that pass: too many requests, credentials that have just run out, a bucket on its way, a clock that is wrong. */
const streamed =
  /throttl|slowdown|limitexceeded|toomanyrequests|requesttimeout|expiredtoken|internal|unavailable|temporaryredirect|tooskewed|requestexpired/i;

/** AWS answered, and did not do it. */
export class AwsError extends OutboundError {
  readonly status: number;
  readonly code: string;
  /** Milliseconds that AWS asks to wait. */
  readonly retryAfter: number | undefined;
  /** Where the bucket really is, if S3 says so. */
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
      isFinal: status < 500 && status !== 408 && status !== 429 && !streamed.test(code),
    });
    this.status = status;
    this.code = code;
    this.retryAfter = given.retryAfter;
    this.bucketRegion = isRegion(given.bucketRegion) ? given.bucketRegion : undefined;
  }

  /** Errors come as JSON or XML, depending on the age of the service. */
  static of(service: string, { status, headers, text }: OutboundReply): AwsError {
    const json = membersOf(text);
    const code = json.__type ?? headers['x-amzn-errortype'] ?? xmlText(text, 'Code') ?? '';
    const reason = json.message ?? json.Message ?? xmlText(text, 'Message') ?? '';
    return new AwsError(service, {
      status,
      code: nameOf(String(code)),
      reason: String(reason).slice(0, 300),
      retryAfter: secondsIn(headers['retry-after']),
      bucketRegion: headers['x-amz-bucket-region'] ?? xmlText(text, 'Region'),
    });
  }
}

function secondsIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : undefined;
}

function membersOf(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Such as `com.amazonaws.events#AccessDenied:http://…`, of which the name is enough. */
function nameOf(code: string): string {
  return (
    code
      .replace(/^[^#]*#/, '')
      .split(':')[0]
      ?.slice(0, 100) ?? ''
  );
}
