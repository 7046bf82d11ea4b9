import { parentPort } from 'node:worker_threads';
import { type ErrorCode, type FieldProblem, Refusal } from './errors.ts';

/** The reply of a worker thread to a request. */
export type WorkerReply =
  | { readonly result: unknown }
  | {
      readonly failure: {
        readonly message: string;
        readonly refusal?: ErrorCode;
        readonly retryAfter?: number | undefined;
        readonly problems?: readonly FieldProblem[] | undefined;
        readonly code?: string | undefined;
        /** For the log. */
        readonly cause?: string | undefined;
      };
    };

/** A result, with the buffers to transfer instead of copy. */
export interface Outcome<Result> {
  readonly result: Result;
  readonly transfer?: readonly ArrayBuffer[];
}

/** The worker's side of a WorkerPool, which sends one request at a time. */
export function serve<Request, Result>(
  handle: (request: Request) => Outcome<Result> | Promise<Outcome<Result>>,
): void {
  parentPort?.on('message', async (request: Request) => {
    const { transfer = [], ...message } = await attempt(handle, request);
    parentPort?.postMessage(message satisfies WorkerReply, transfer as ArrayBuffer[]);
  });
}

async function attempt<Request, Result>(
  handle: (request: Request) => Outcome<Result> | Promise<Outcome<Result>>,
  request: Request,
): Promise<WorkerReply & { readonly transfer?: readonly ArrayBuffer[] }> {
  try {
    return await handle(request);
  } catch (error) {
    if (error instanceof Refusal) {
      const { message, code: refusal, retryAfter, problems, cause } = error;
      const inner = cause instanceof Error ? cause.message : undefined;
      return { failure: { message, refusal, retryAfter, problems, cause: inner } };
    }
    const { message, code } = error as NodeJS.ErrnoException;
    return { failure: { message: message ?? String(error), code } };
  }
}
