import type { CredentialKind, KnownCredential } from '../identity/sign-in-failures.ts';
import type { Refusal } from '../platform/errors.ts';

/**
 * Reports the outcome of a sign-in whose credential the operation checks itself. Valid credentials are never throttled by
 * invalid ones, except passwords, which can be guessed.
 */
export interface Attempt {
  /** Before a password is checked: throws a rate-limit error after too many wrong ones. */
  beginPassword(email: string, isFamiliar: boolean): void;
  /** The credential is valid: counts the request against its owner's rate limit, or throws. */
  accept(owner: string, key?: { readonly keyId: string; readonly limit: number | undefined }): Promise<void>;
  /** The credential is missing or invalid: records the failure and throws the refusal, or a rate-limit error. */
  reject(kind: CredentialKind, refusal: Refusal, credential?: InvalidCredential): never;
}

export interface InvalidCredential {
  readonly keyId?: string;
  readonly known: KnownCredential | undefined;
}
