/** Why resources could not be read. */
export type ProblemStatus = 'denied' | 'failed' | 'not enabled';

/** A problem of a whole kind in a region, or of a single resource. */
export interface Problem {
  readonly status: ProblemStatus;
  /** For people: the call, the resource if there is one, and what the provider answered. */
  readonly reason: string;
  /** The permission that would help, in the provider's notation. */
  readonly permission?: string;
}

/** Thrown by a reading: everything that it has not finished has this problem. */
export class CollectError extends Error implements Problem {
  readonly status: ProblemStatus;
  readonly permission?: string;

  constructor({ status, reason, permission }: Problem, cause?: unknown) {
    super(reason, { cause });
    this.status = status;
    if (permission !== undefined) this.permission = permission;
  }

  get reason(): string {
    return this.message;
  }
}

/** What an error means if nothing more is known. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof CollectError))
    return {
      status: 'failed',
      reason: boundedReason(error instanceof Error ? error.message : String(error)),
    };
  const { status, reason, permission } = error;
  return { status, reason, ...(permission !== undefined && { permission }) };
}

/** Providers repeat whole requests in their messages. */
const maxReason = 500;

export function boundedReason(reason: string): string {
  const line = reason.replaceAll(/\s+/g, ' ').trim();
  return line.length <= maxReason ? line : `${line.slice(0, maxReason - 1)}…`;
}

/** The worse of two problems: a failure may go away by itself, a denial does not. */
export function worse(a: Problem | undefined, b: Problem): Problem {
  const rank = { 'not enabled': 0, failed: 1, denied: 2 };
  return a && rank[a.status] >= rank[b.status] ? a : b;
}
