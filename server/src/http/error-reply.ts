import { STATUS_CODES } from 'node:http';
import { type ErrorCode, type FieldProblem, Refusal } from '../platform/errors.ts';
import { bodyLimit } from './limits.ts';
import type { RawHeaders } from './response-headers.ts';

export interface ErrorBody {
  readonly message: string;
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly problems?: readonly FieldProblem[];
}

/** Without a `data` member: two clients would read it first and fail. */
export function errorBody(refusal: Refusal, requestId: string): ErrorBody {
  const { message, code, problems } = refusal;
  return { message, code, requestId, ...(problems && { problems }) };
}

/** Converts any error: those of the framework have a code, all others are internal errors. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const code = (error as { code?: unknown }).code;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(bodyLimit);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Refusal(
        'MALFORMED_REQUEST',
        'Content-Length does not match the length of the body: send the correct length.',
      );
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('UNSUPPORTED_CONTENT', 'Content-Type is not supported: send application/json.');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_ASYNC_CONSTRAINT':
      return new Refusal('MALFORMED_REQUEST', 'The path can not be decoded: percent-encode it as UTF-8.');
    default:
      return new Refusal('INTERNAL', 'Internal error: report the requestId to the operator of the service.');
  }
}

/** A complete HTTP response for a request that could not be parsed, to be written to the socket. */
export function rawErrorReply(refusal: Refusal, head: RawHeaders, requestId: string): string {
  const body = JSON.stringify(errorBody(refusal, requestId));
  const headers = [...head, 'content-length', Buffer.byteLength(body), 'connection', 'close'];
  const lines = headers.map((token, index) => (index % 2 === 0 ? `${token}: ` : `${token}\r\n`));
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`;
}

export function bodyTooLarge(limit: number): Refusal {
  return new Refusal('BODY_TOO_LARGE', `The body is larger than ${limit} bytes: send a smaller one.`);
}
