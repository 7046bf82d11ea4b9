import { boundedReason, CollectError, type Problem } from '../inventory/problem.ts';
import { isObject } from './object.ts';
import { type RbacRule, ruleText } from './service.ts';

/** A reply of the API that is not a success. */
export class K8sStatusError extends Error {
  readonly status: number;

  /** `body` is an object of kind Status, or what a proxy sent. */
  constructor(what: string, status: number, body: Buffer) {
    super(boundedReason(`${what}: ${status} ${messageIn(body)}`));
    this.status = status;
  }
}

/** What an error means for a kind. The rule would allow the request. */
export function problemOf(error: unknown, rule: RbacRule): Problem {
  if (error instanceof CollectError) return error;
  const reason = boundedReason((error as Error).message);
  if (!(error instanceof K8sStatusError)) return { status: 'failed', reason };
  if (error.status === 403) return { status: 'denied', reason, permission: ruleText(rule) };
  // No rule helps against credentials that are not accepted.
  if (error.status === 401) return { status: 'denied', reason };
  if (error.status === 404) return { status: 'not enabled', reason };
  return { status: 'failed', reason };
}

const maxBody = 10_000;

function messageIn(body: Buffer): string {
  const text = body.subarray(0, maxBody).toString();
  try {
    const parsed: unknown = JSON.parse(text);
    if (isObject(parsed) && typeof parsed.message === 'string') return parsed.message;
  } catch {}
  return text.replaceAll(/<[^>]*>/g, ' ');
}
