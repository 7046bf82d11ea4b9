import { parentPort } from 'node:worker_threads';
import { type ErrorCode, type FieldProblem, Refusal } from './errors.ts';

/** The response of a worker thread to an order. */
export type Answer =
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

/** The worker's side of a WorkerPool, which sends one order at a time. */
export function serve<Order, Result>(
  answer: (order: Order) => Outcome<Result> | Promise<Outcome<Result>>,
): void {
  parentPort?.on('message', async (order: Order) => {
    const { transfer = [], ...message } = await attempt(answer, order);
    parentPort?.postMessage(message satisfies Answer, transfer as ArrayBuffer[]);
  });
}

async function attempt<Order, Result>(
  answer: (order: Order) => Outcome<Result> | Promise<Outcome<Result>>,
  order: Order,
): Promise<Answer & { readonly transfer?: readonly ArrayBuffer[] }> {
  try {
    return await answer(order);
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
