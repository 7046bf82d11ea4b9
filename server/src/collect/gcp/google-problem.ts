import { boundedReason, type Problem } from '../inventory/problem.ts';

/** An error reply of a Google API: https://cloud.google.com/apis/design/errors */
export interface GoogleErrorReply {
  readonly status: number;
  readonly message: string;
  /** `PERMISSION_DENIED`. */
  readonly code: string;
  /** `SERVICE_DISABLED`, from the details. */
  readonly reason: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What is known before the call: for people, and the permission that it needs. */
export interface CallDescription {
  readonly what: string;
  readonly permission: string;
}

export function errorIn(status: number, text: string): GoogleErrorReply {
  const { error } = membersOf(parsed(text));
  const { message, status: code, details } = membersOf(error);
  const info = Array.isArray(details) ? details.map(membersOf).find(isErrorInfo) : undefined;
  return {
    status,
    message: stringIn(message) || text.slice(0, 300),
    code: stringIn(code),
    reason: stringIn(info?.reason),
    metadata: membersOf(info?.metadata),
  };
}

const retried = new Set([408, 429, 500, 502, 503, 504]);

export function isTemporary({ status, reason }: GoogleErrorReply): boolean {
  return retried.has(status) || (status === 403 && reason === 'RATE_LIMIT_EXCEEDED');
}

export function problemOf(error: GoogleErrorReply, { what, permission }: CallDescription): Problem {
  const { status, code, message, metadata } = error;
  const reason = boundedReason(`${what}: ${status} ${code}: ${message}`);
  if (status === 401) return { status: 'denied', reason };
  if (error.reason === 'SERVICE_DISABLED')
    return {
      status: 'not enabled',
      reason: boundedReason(
        `${what}: enable ${stringIn(metadata.service)} in ${stringIn(metadata.consumer) || 'the project of the credentials'}. ${message}`,
      ),
    };
  if (status === 403)
    return { status: 'denied', reason, permission: stringIn(metadata.permission) || permission };
  return { status: 'failed', reason };
}

function isErrorInfo(detail: Readonly<Record<string, unknown>>): boolean {
  return stringIn(detail['@type']).endsWith('/google.rpc.ErrorInfo');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function stringIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
