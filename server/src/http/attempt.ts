import type { CredentialKind, KnownCredential } from '../identity/sign-in-failures.ts';
import type { Refusal } from '../platform/errors.ts';

/** What an operation that takes a credential of its own tells about it. Right credentials are never held up by wrong ones. */
export interface Attempt {
  /** It is right: takes a token of its owner's bucket, or refuses. */
  accept(owner: string, key?: { readonly keyId: string; readonly limit: number | undefined }): Promise<void>;
  /** It is missing or wrong: counts that and refuses, or asks to wait. */
  reject(kind: CredentialKind, refusal: Refusal, credential?: WrongCredential): never;
}

export interface WrongCredential {
  readonly keyId?: string;
  readonly known: KnownCredential | undefined;
}
