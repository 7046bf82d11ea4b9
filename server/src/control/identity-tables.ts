import type { Flag, Instant } from './columns.ts';

/** Users, accounts, credentials and the audit log. */
export interface IdentityTables {
  organizations: { id: string; name: string; created_at: Instant };
  accounts: { id: string; organization_id: string; name: string; created_at: Instant };
  users: {
    id: string;
    organization_id: string;
    email: string;
    organization_role: string | null;
    created_at: Instant;
    /** A disabled user has no access; keys and tokens are kept until they are enabled again. */
    enabled: Flag;
    type: string;
    first_name: string;
    last_name: string;
    company: string;
    description: string;
    updated_at: Instant;
    updated_by: string;
    /** In the console; null before the first time. */
    last_sign_in_at: Instant | null;
  };
  memberships: { user_id: string; account_id: string; role: string };
  api_keys: {
    id: string;
    user_id: string;
    account_id: string;
    secret_fingerprint: string;
    enabled: Flag;
    rate_limit: number | null;
    created_at: Instant;
    last_used_at: Instant | null;
  };
  access_tokens: { fingerprint: string; key_id: string; created_at: Instant; expires_at: Instant };
  /** `hash` contains the parameters of the hash function. */
  passwords: { user_id: string; hash: string; set_at: Instant };
  sign_in_links: { fingerprint: string; user_id: string; expires_at: Instant };
  /** Sessions of the console. */
  sessions: {
    /** Shown in lists; grants no access. */
    id: string;
    fingerprint: string;
    /** The value before the last renewal, accepted for requests that were sent at the same time. */
    previous_fingerprint: string | null;
    previous_until: Instant | null;
    user_id: string;
    /** Digest of the roles: a change renews the value. */
    roles: string;
    created_at: Instant;
    /** Written at most once a minute. */
    last_used_at: Instant;
    /** When the user last proved who they are, with a link or a password. */
    proved_at: Instant;
    /** Of the sign-in before this one. */
    last_sign_in_at: Instant | null;
    address: string;
    user_agent: string;
  };
  audit_log: {
    id: string;
    owner_id: string;
    created_at: Instant;
    account_name: string;
    user_name: string;
    event_name: string;
    user_action: string;
    event_description: string;
  };
}
