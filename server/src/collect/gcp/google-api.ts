import { type BulkReply, ReplyTooLargeError } from '../../outbound/bulk-outbound.ts';
import type { GoogleCredentials } from '../../outbound/google/credentials.ts';
import { OutboundError } from '../../outbound/outbound.ts';
import { Redaction } from '../../outbound/redaction.ts';
import type { ApiRate } from '../inventory/budget.ts';
import type { CollectDeps } from '../inventory/cloud.ts';
import { boundedReason, CollectError, type Problem } from '../inventory/problem.ts';
import {
  type CallDescription,
  errorIn,
  type GoogleErrorReply,
  isTemporary,
  problemOf,
} from './google-problem.ts';

export interface GoogleCall extends CallDescription {
  readonly url: string;
  /** What Google counts, and its documented rate. */
  readonly api: string;
  readonly rate?: ApiRate;
}

/** A reply that is an error: its problem, and what Google said. */
export class GoogleError extends CollectError {
  readonly reply: GoogleErrorReply;

  constructor(reply: GoogleErrorReply, call: GoogleCall) {
    super(problemOf(reply, call));
    this.reply = reply;
  }
}

const maxAttempts = 8;
const firstPause = 1_000;
const longestPause = 60_000;
/** A server that asks for more is asked again sooner. */
const longestRetryAfter = 300_000;
const timeout = 60_000;

/** Calls Google APIs with some credentials, within the budget; repeats what may succeed later. */
export class GoogleApi {
  readonly #credentials: GoogleCredentials;
  readonly #deps: CollectDeps;

  constructor(credentials: GoogleCredentials, deps: CollectDeps) {
    this.#credentials = credentials;
    this.#deps = deps;
  }

  /** The body of a successful reply; otherwise throws a `CollectError`, or a `ReplyTooLargeError`. */
  async get(call: GoogleCall, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    const { budget } = this.#deps;
    for (let attempt = 1, rejected = 0; ; attempt++) {
      await budget.take(call.api, call.rate, signal);
      const reply = await this.#attempt(call, signal);
      if ('body' in reply && reply.status === 200) return bodyOf(reply, call);
      const error = 'body' in reply ? await this.#errorOf(reply) : undefined;
      // A token that was revoked before its time.
      if (error?.status === 401 && rejected++ === 0) this.#credentials.forget();
      else if (attempt === maxAttempts || (error && !isTemporary(error)))
        throw error ? new GoogleError(error, call) : new CollectError(reply as Problem);
      else budget.pause(call.api, pauseBefore(attempt, 'body' in reply ? reply : undefined));
    }
  }

  /** A reply, or the problem of a request that may succeed later. */
  async #attempt(call: GoogleCall, signal: AbortSignal): Promise<BulkReply | Problem> {
    // Credentials that Google refuses are denied for good; an address that is not allowed has failed.
    let finalStatus: Problem['status'] = 'denied';
    try {
      const token = await this.#credentials.token();
      finalStatus = 'failed';
      return await this.#fetch(call, token, signal);
    } catch (error) {
      if (!(error instanceof OutboundError) || error instanceof ReplyTooLargeError) throw error;
      const reason = boundedReason(`${call.what}: ${error.message}`);
      if (error.isFinal) throw new CollectError({ status: finalStatus, reason }, error);
      return { status: 'failed', reason };
    }
  }

  async #fetch({ url }: GoogleCall, token: string, signal: AbortSignal): Promise<BulkReply> {
    const { quotaProject } = this.#credentials;
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(quotaProject && { 'x-goog-user-project': quotaProject }),
    };
    return this.#deps.outbound.fetch({ method: 'GET', url, headers, timeout, signal });
  }

  /** Without the token, in case that the message repeats it. */
  async #errorOf({ status, body }: BulkReply): Promise<GoogleErrorReply> {
    const secrets = new Redaction([await this.#credentials.token().catch(() => '')]);
    return errorIn(status, secrets.apply(body.subarray(0, 16_384).toString()));
  }
}

function bodyOf({ body }: BulkReply, { what }: GoogleCall): Readonly<Record<string, unknown>> {
  try {
    const members: unknown = JSON.parse(body.toString());
    if (typeof members === 'object' && members !== null && !Array.isArray(members))
      return members as Readonly<Record<string, unknown>>;
  } catch {}
  throw new CollectError({ status: 'failed', reason: `${what}: the reply is not a JSON object.` });
}

function pauseBefore(attempt: number, reply: BulkReply | undefined): number {
  const seconds = Number(reply?.headers['retry-after']);
  if (seconds > 0) return Math.min(seconds * 1_000, longestRetryAfter);
  return Math.min(firstPause * 2 ** (attempt - 1), longestPause);
}
