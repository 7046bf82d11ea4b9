import { boundedReason, CollectError, type Problem } from '../inventory/problem.ts';
import { isUnknownHost } from './request-handler.ts';

/** What an error of a call means: there is no such thing, or a problem. */
export type Meaning = 'none' | Problem;

export interface ErrorRules {
  /** Errors which mean that there is nothing. */
  readonly none?: readonly string[] | undefined;
  /** Errors which mean that the service is not enabled. */
  readonly off?: readonly string[] | undefined;
  /** Errors which mean that the caller may not read it. */
  readonly denied?: readonly string[] | undefined;
}

const none = /^(NoSuch|.*NotFound|.*DoesNotExist)/;
const denied =
  /^(AccessDenied|UnauthorizedOperation|Unauthorized|AuthorizationError|Forbidden|.*NotAuthorized|ExpiredToken|InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch|AuthFailure|MissingAuthenticationToken|IncompleteSignature)/;
const notEnabled =
  /^(OptInRequired|SubscriptionRequired|.*NotSubscribed|UnsupportedOperation|.*NotEnabled|EndpointNotFound|UnknownEndpoint|UnknownOperation)/;

/** `what` is the call and the resource, for people. */
export function meaningOf(
  error: unknown,
  { none: noneHere = [], off = [], denied: deniedHere = [] }: ErrorRules,
  what: string,
  permission: string,
): Meaning {
  if (error instanceof CollectError) return error;
  const { name, message } = error as Error;
  if (noneHere.some((rule) => isError(rule, name, message))) return 'none';
  const reason = boundedReason(`${what}: ${strangeReply(error) ?? `${name}: ${message}`}`);
  if (off.some((rule) => isError(rule, name, message)) || notEnabled.test(name))
    return { status: 'not enabled', reason };
  if (denied.test(name) || deniedHere.some((rule) => isError(rule, name, message)))
    return { status: 'denied', reason, permission };
  if (isUnknownHost(error)) return { status: 'not enabled', reason: `${what}: not offered in this region.` };
  if (none.test(name)) return 'none';
  return { status: 'failed', reason };
}

/** `AccessDeniedException: is not enabled` is an error of this name whose message has this part. */
function isError(rule: string, name: string, message: string): boolean {
  const colon = rule.indexOf(': ');
  if (colon < 0) return rule === name;
  return rule.slice(0, colon) === name && message.includes(rule.slice(colon + 2));
}

/** Proxies and other servers answer in forms of their own, which the SDK reports as an error of its parser. */
function strangeReply(error: unknown): string | undefined {
  const { $fault, $response } = error as { $fault?: string; $response?: { statusCode?: number } };
  if ($fault !== undefined || $response?.statusCode === undefined) return undefined;
  return `the reply with status ${$response.statusCode} does not have the form that AWS documents.`;
}
