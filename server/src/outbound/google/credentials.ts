import type { GoogleServiceAccount, GoogleTokens } from './service-account.ts';

/** The scope that most APIs of Google Cloud require, Cloud Asset Inventory among them. */
export const cloudPlatformScope = 'https://www.googleapis.com/auth/cloud-platform';

/** Whoever calls Google Cloud. */
export interface GoogleCredentials {
  /** An access token; cached until shortly before it expires. */
  token(): Promise<string>;
  /** Drops a token that was rejected. */
  forget(): void;
  /** The project whose quota is used, if it is not the caller's own. */
  readonly quotaProject?: string | undefined;
}

export function serviceAccountCredentials(
  tokens: GoogleTokens,
  account: GoogleServiceAccount,
  quotaProject?: string,
): GoogleCredentials {
  return {
    token: () => tokens.get(account, cloudPlatformScope),
    forget: () => tokens.forget(account, cloudPlatformScope),
    quotaProject,
  };
}
