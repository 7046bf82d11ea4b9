import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Refusal } from '../platform/errors.ts';
import type { Connections } from './connections.ts';
import { rawErrorReply } from './error-reply.ts';
import type { Gate } from './gate.ts';
import { headerLimit } from './limits.ts';
import type { ResponseHeaders } from './response-headers.ts';
import type { Route } from './route.ts';
import { type UnmatchedRequest, unmatchedRequest } from './unmatched-request.ts';

/** A request line with a method that Node's parser does not know. */
const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}) (\S{1,2000}) HTTP\/1\.[01]\r?$/;

export interface MalformedRequestsDeps {
  readonly gate: Gate;
  readonly connections: Pick<Connections, 'whenAnswered'>;
  readonly routes: readonly Route[];
  readonly responseHeaders: ResponseHeaders;
  readonly newRequestId: () => string;
  /** Milliseconds after which the connection is closed even if the response was not read. */
  readonly timeLimit: number;
}

/** Answers requests that Node could not parse by writing an ordinary error response to the socket. */
export class MalformedRequests {
  readonly #deps: MalformedRequestsDeps;

  constructor(deps: MalformedRequestsDeps) {
    this.#deps = deps;
  }

  async answer(error: Error, socket: Socket): Promise<void> {
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') return void socket.destroy();
    await this.#refuse(socket, describe(error, this.#deps.routes));
  }

  /** CONNECT hands the raw socket to the server, so the router never sees it. */
  async answerConnect({ url = '' }: IncomingMessage, socket: Socket): Promise<void> {
    socket.on('error', () => socket.destroy());
    await this.#refuse(socket, unmatchedRequest(this.#deps.routes, 'CONNECT', url));
  }

  async #refuse(socket: Socket, { refusal, allow }: UnmatchedRequest): Promise<void> {
    const { gate, connections, responseHeaders, newRequestId, timeLimit } = this.#deps;
    if (!(await connections.whenAnswered(socket))) return void socket.destroy();
    const { rate, refusal: limited } = gate.admitMalformed(socket.remoteAddress ?? 'unknown');
    const id = newRequestId();
    const head = responseHeaders.of({ id, rate });
    if (allow !== undefined) head.push('allow', allow);
    socket.setTimeout(timeLimit, () => socket.destroy());
    socket.end(rawErrorReply(limited ?? refusal, head, id));
  }
}

function describe(error: Error, routes: readonly Route[]): UnmatchedRequest {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return malformed(
        'HEADERS_TOO_LARGE',
        `The request headers are larger than ${headerLimit} bytes: send fewer.`,
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return malformed('REQUEST_TIMEOUT', 'The request was not received completely in time: send it again.');
    case 'HPE_INVALID_METHOD': {
      const [, method, url] = requestLine.exec(failedLine(error)) ?? [];
      if (method !== undefined && url !== undefined) return unmatchedRequest(routes, method, url);
      break;
    }
  }
  return malformed('MALFORMED_REQUEST', 'The request is not valid HTTP/1.1.');
}

function malformed(
  code: 'HEADERS_TOO_LARGE' | 'REQUEST_TIMEOUT' | 'MALFORMED_REQUEST',
  message: string,
): UnmatchedRequest {
  return { refusal: new Refusal(code, message), allow: undefined };
}

/** The line at which parsing failed; the packet may contain valid requests before it. */
function failedLine(error: Error): string {
  const { rawPacket, bytesParsed = 0 } = error as { rawPacket?: Buffer; bytesParsed?: number };
  if (!rawPacket) return '';
  const start = rawPacket.lastIndexOf('\n', Math.max(0, bytesParsed - 1)) + 1;
  return (rawPacket.toString('latin1', start, start + 2_100).split('\n', 1)[0] as string).trimEnd();
}
