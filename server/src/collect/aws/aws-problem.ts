import { OutboundError } from '../../outbound/outbound.ts';
import { boundedReason, CollectError, type Problem } from '../inventory/problem.ts';

/** What an error of a call means: there is no such thing, or a problem. */
export type Meaning = 'none' | Problem;

export interface ErrorRules {
  /** Errors which mean that there is nothing. */
  readonly none?: readonly string[] | undefined;
  /** Errors which mean that the service is not enabled. */
  readonly off?: readonly string[] | undefined;
}

const none = /^(NoSuch|.*NotFound|.*DoesNotExist)/;
const denied =
  /^(AccessDenied|UnauthorizedOperation|Unauthorized|AuthorizationError|Forbidden|.*NotAuthorized|ExpiredToken|InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch)/;
const notEnabled =
  /^(OptInRequired|SubscriptionRequired|.*NotSubscribed|UnsupportedOperation|.*NotEnabled|EndpointNotFound|UnknownEndpoint)/;

/** `what` is the call and the resource, for people. */
export function meaningOf(
  error: unknown,
  { none: noneHere = [], off = [] }: ErrorRules,
  what: string,
  permission: string,
): Meaning {
  if (error instanceof CollectError) return error;
  const { name, message } = error as Error;
  if (noneHere.includes(name)) return 'none';
  const reason = boundedReason(`${what}: ${name}: ${message}`);
  if (off.includes(name) || notEnabled.test(name)) return { status: 'not enabled', reason };
  if (denied.test(name)) return { status: 'denied', reason, permission };
  // A name that does not exist is how a service that is not offered in a region looks.
  if (error instanceof OutboundError && error.message.includes('address: check the name'))
    return { status: 'not enabled', reason: `${what}: not offered in this region.` };
  if (none.test(name)) return 'none';
  return { status: 'failed', reason };
}
