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
