import type { Socket } from 'node:net';
import type { ErrorCode } from '../platform/errors.ts';
import { rawErrorReply } from './error-reply.ts';
import type { Gate } from './gate.ts';
import { headerLimit } from './limits.ts';

/** Answers what never became a request, straight on the socket, in the form of every other refusal. */
export async function answerBroken(
  error: Error,
  socket: Socket,
  gate: Gate,
  requestId: string,
): Promise<void> {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [kind, message] = complaintAbout(code);
  const headers = await gate.headersFor(socket.remoteAddress ?? 'unknown').catch(() => ({}));
  socket.end(rawErrorReply(kind, message, headers, requestId));
}

function complaintAbout(code: string | undefined): [ErrorCode, string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return ['HEADERS_TOO_LARGE', `The request headers are larger than ${headerLimit} bytes: send fewer.`];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['REQUEST_TIMEOUT', 'The request did not arrive completely in time: send it again.'];
    default:
      return ['MALFORMED_REQUEST', 'The request can not be read as HTTP/1.1.'];
  }
}
