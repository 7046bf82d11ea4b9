import type { Flag, Instant } from './columns.ts';

/** Tables of the tokens of agents and collectors. */
export interface AgentTables {
  agent_tokens: {
    id: string;
    owner_id: string;
    /** Fingerprint of the token, for lookups. */
    fingerprint: string;
    /** The encrypted token, for callers who may see it. */
    token: string;
    alias: string;
    enabled: Flag;
    purpose: 'agent' | 'collector';
    /** JSON. */
    props: string;
    created_at: Instant;
  };
  /** Earlier values of rotated agent tokens. */
  replaced_agent_tokens: {
    fingerprint: string;
    owner_id: string;
    /** The id of the row in agent_tokens that has the current value. */
    token_id: string;
    /** Kept afterwards, to say in the response why the value is refused. */
    accepted_until: Instant;
  };
}
