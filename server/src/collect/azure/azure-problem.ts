import { OutboundError } from '../../outbound/outbound.ts';
import { boundedReason, CollectError, type Problem } from '../inventory/problem.ts';

/** An error reply of the management plane or of Microsoft Graph. */
export class AzureError extends Error {
  readonly status: number;
  /** The code of the error and those of its details. */
  readonly codes: readonly string[];

  constructor(status: number, codes: readonly string[], message: string) {
    super(message);
    this.status = status;
    this.codes = codes;
  }
}

/** What an error of a call means: there is no such thing, or a problem. */
export type Meaning = 'none' | Problem;

export interface ErrorRules {
  readonly none?: readonly string[] | undefined;
  readonly off?: readonly string[] | undefined;
}

const notEnabled =
  /^(MissingSubscriptionRegistration|SubscriptionNotRegistered|NoRegisteredProviderFound|InvalidResourceNamespace|InvalidResourceType|DisallowedLogicalTableName|DisallowedProvider|ResourceProviderNotRegistered|.*NonPremiumTenant.*|.*RequestFromUnsupportedUserRole.*|.*LicenseRequired.*)$/i;
/** Not a missing child: the subscription itself is not visible to the credential. */
const notVisible = /^(SubscriptionNotFound|InvalidSubscriptionId)$/i;
/** Only features of a licence that the tenant lacks are refused with this word. */
const withoutLicence = /\blicen[cs]ed?\b/i;

/** `what` is the call and the resource, for people. */
export function meaningOf(
  error: unknown,
  { none = [], off = [] }: ErrorRules,
  what: string,
  permission: string,
): Meaning {
  if (error instanceof CollectError) return error;
  if (!(error instanceof AzureError)) {
    const reason =
      error instanceof OutboundError ? error.message : String((error as Error)?.message ?? error);
    return { status: 'failed', reason: boundedReason(`${what}: ${reason}`) };
  }
  const { status, codes, message } = error;
  const reason = boundedReason(`${what}: ${status} ${codes[0] ?? ''}: ${message}`);
  if (codes.some((code) => none.includes(code))) return 'none';
  if (codes.some((code) => off.includes(code) || notEnabled.test(code)))
    return { status: 'not enabled', reason };
  if (status === 403 && withoutLicence.test(message)) return { status: 'not enabled', reason };
  if (status === 401 || status === 403 || codes.some((code) => notVisible.test(code)))
    return { status: 'denied', reason, permission };
  if (status === 404) return 'none';
  return { status: 'failed', reason };
}
