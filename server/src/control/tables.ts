import type { Flag, Instant } from './columns.ts';
import type { EvaluationTables } from './evaluation-tables.ts';
import type { IdentityTables } from './identity-tables.ts';

/** Structured values are JSON as text. */
export interface Tables extends IdentityTables, EvaluationTables {
  outbox: {
    id: string;
    /** Whose turn it takes. */
    owner_id: string;
    topic: string;
    payload: string;
    created_at: Instant;
    due_at: Instant;
    attempts: number;
  };
  sealing_check: { id: string; sealed: string };
  /** Secret keys that only older backups need, by their ids, each sealed with the present key. */
  retired_keys: { id: string; sealed: string; retired_at: Instant };
  integrations: {
    id: string;
    owner_id: string;
    family: string;
    type: string;
    subtype: string | null;
    name: string;
    enabled: Flag;
    is_org: Flag;
    is_default: Flag;
    /** JSON; every secret in it is an empty text. */
    data: string;
    /** The secrets by their path: JSON, sealed. */
    secrets: string | null;
    props: string | null;
    state: string | null;
    server_token: string | null;
    /** Of the server token; what a lookup compares. */
    server_token_fingerprint: string | null;
    identity: string | null;
    updated_at: Instant;
    updated_by: string;
  };
  rules: {
    id: string;
    owner_id: string;
    family: string;
    /** JSON, with the name of the rule. */
    filters: string;
    /** JSON: the alert channels by their id, in the order given. */
    channels: string;
    /** JSON; only report rules have them. */
    report_types: string | null;
    updated_at: Instant;
    updated_by: string;
  };
  agent_tokens: {
    id: string;
    owner_id: string;
    /** Of the token; what a lookup compares. */
    fingerprint: string;
    /** The token, sealed, for those who may see it. */
    token: string;
    alias: string;
    enabled: Flag;
    /** JSON. */
    props: string;
    created_at: Instant;
  };
  resource_groups: {
    id: string;
    owner_id: string;
    type: string;
    name: string;
    description: string;
    enabled: Flag;
    is_default: Flag;
    /** JSON: what belongs to the group, in the one form that is evaluated. */
    query: string;
    /** JSON: the same as the older form of the interface says it, for groups that were given in it. */
    props: string | null;
    created_at: Instant;
    created_by: string;
    updated_at: Instant;
    updated_by: string;
  };
  alert_profiles: {
    id: string;
    owner_id: string;
    /** The predefined profile that it extends. */
    base: string;
    /** JSON: its templates, in the order given. */
    alerts: string;
  };
  policies: {
    id: string;
    owner_id: string;
    policy_type: string;
    /** Empty where a person judges. */
    query_id: string;
    title: string;
    description: string;
    remediation: string;
    severity: string;
    enabled: Flag;
    alert_enabled: Flag;
    row_limit: number;
    eval_frequency: string;
    /** Profile, or profile and template, as it was given; empty for none. */
    alert_profile: string;
    /** JSON. */
    tags: string;
    /** JSON: what exceptions may name. */
    exception_configuration: string;
    evaluator_id: string | null;
    created_by: string;
    updated_at: Instant;
    updated_by: string;
  };
  /** What an owner decided about a built-in policy. */
  built_in_policies: {
    id: string;
    owner_id: string;
    severity: string;
    enabled: Flag;
    alert_enabled: Flag;
    updated_at: Instant;
    updated_by: string;
  };
  queries: {
    id: string;
    owner_id: string;
    query_text: string;
    query_name: string | null;
    description: string | null;
    evaluator_id: string | null;
    /** JSON. */
    usage_context: string | null;
    /** JSON. */
    result_schema: string;
    created_by: string;
    updated_at: Instant;
    updated_by: string;
  };
  policy_exceptions: {
    id: string;
    owner_id: string;
    policy_id: string;
    description: string;
    /** JSON. */
    constraints: string;
    expires_at: Instant | null;
    updated_at: Instant;
    updated_by: string;
  };
  /** The last number that was given out, so that none is given twice. */
  sequences: { id: string; owner_id: string; last: number };
  /** Searches too long for the address of their next page. */
  saved_searches: { id: string; owner_id: string; question: string; expires_at: Instant };
  /** Restores that put other telemetry in place; start-up completes what a kill interrupted. */
  restores: { id: string; created_at: Instant };
  alerts: {
    /** Counted in each account. */
    id: number;
    owner_id: string;
    policy_id: string;
    /** The hour whose violations it tells of. */
    window_start: Instant;
    /** How many alerts of the same window were closed before it came. */
    round: number;
    alert_name: string;
    alert_type: string;
    severity: string;
    status: string;
    /** JSON. */
    alert_info: string;
    /** JSON. */
    alert_spec: string | null;
    /** JSON. */
    derived_fields: string;
    reachability: string;
    /** All of them, also those that are not listed. */
    violations: number;
    /** Those whose entities and marks it has. */
    listed: number;
    /** When it was raised. */
    start_at: Instant;
    /** When the last violation joined it. */
    end_at: Instant;
    user_updated_at: Instant | null;
    close_reason: number | null;
    /** Whether a rule sends it somewhere. */
    is_routed: Flag;
    created_at: Instant;
    updated_at: Instant;
    /** When the first and the last of the events happened, by their own account. */
    first_event_at: Instant | null;
    last_event_at: Instant | null;
    /** JSON: as many entities as the policy lists. It and the next are large, so they come last: SQLite reads past neither. */
    entity_map: string;
    /** JSON: by what exceptions may know the violations. */
    marks: string;
  };
  /** What alerts are about, by which those of the same thing are found. */
  alert_entities: {
    owner_id: string;
    /** Digest of its kind and key. */
    entity: string;
    alert_id: number;
  };
  /** The timelines of alerts. */
  alert_entries: {
    id: number;
    owner_id: string;
    alert_id: number;
    entry_type: string;
    author_type: string;
    message: string;
    format: string;
    channel_id: string | null;
    user_id: string | null;
    user_name: string;
    /** JSON. */
    context: string;
    created_at: Instant;
  };
  /** Messages about alerts, on their way or done. */
  deliveries: {
    /** In every message, so that a receiver knows a repeat. */
    id: string;
    owner_id: string;
    alert_id: number;
    channel_id: string;
    /** What happened to the alert. */
    occasion: string;
    /** When the first of the entities joined that it announces; 0 for the other occasions. */
    window_start: Instant;
    /** JSON: what the message says, whatever the channel. */
    message: string;
    state: 'waiting' | 'delivered' | 'dead';
    attempts: number;
    due_at: Instant;
    created_at: Instant;
    updated_at: Instant;
    /** Why the last attempt failed. */
    problem: string | null;
    /** JSON: what the other side calls it. */
    external: string | null;
  };
  /** While it has a row nothing is delivered or exported, on any node. */
  delivery_holds: { id: string; since: Instant };
  /** Channels that failed of late. */
  channel_circuits: { channel_id: string; failures: number; opened_at: Instant; open_until: Instant };
  /** Hours of a dataset that a rule exports, on their way or done. */
  exports: {
    owner_id: string;
    rule_id: string;
    channel_id: string;
    place: string;
    dataset: string;
    hour: Instant;
    state: 'waiting' | 'written' | 'dead';
    attempts: number;
    due_at: Instant;
    records: number;
    object: string | null;
    problem: string | null;
    updated_at: Instant;
  };
  rate_takes: { bucket: string; id: string; taken_at: Instant; tokens: number };
}

export type TableName = keyof Tables;

/**
 * What a backup holds, each table after those it refers to, with its primary key. Rate takes, saved searches and circuits
 * are left out: they are about this hour or day only; so are restores and holds: they are about this installation.
 */
export const backedUpTables = {
  organizations: ['id'],
  accounts: ['id'],
  users: ['id'],
  memberships: ['user_id', 'account_id'],
  api_keys: ['id'],
  access_tokens: ['fingerprint'],
  audit_log: ['id'],
  outbox: ['id'],
  sealing_check: ['id'],
  retired_keys: ['id'],
  integrations: ['id'],
  rules: ['id'],
  agent_tokens: ['id'],
  resource_groups: ['id'],
  queries: ['owner_id', 'id'],
  sequences: ['owner_id', 'id'],
  alert_profiles: ['owner_id', 'id'],
  policies: ['owner_id', 'id'],
  built_in_policies: ['owner_id', 'id'],
  policy_exceptions: ['id'],
  evaluations: ['owner_id', 'policy_id', 'place'],
  violations: ['owner_id', 'policy_id', 'place', 'key'],
  alerts: ['owner_id', 'id'],
  evidence: ['id'],
  activity_summaries: ['owner_id', 'place', 'stream'],
  alert_entities: ['owner_id', 'entity', 'alert_id'],
  alert_entries: ['owner_id', 'id'],
  deliveries: ['id'],
  exports: ['owner_id', 'rule_id', 'channel_id', 'place', 'dataset', 'hour'],
} as const satisfies { [Table in TableName]?: readonly (keyof Tables[Table])[] };

/** Columns that hold text sealed by the keyring; a rotation seals each of them again. */
export const sealedColumns = [
  { table: 'sealing_check', key: 'id', column: 'sealed' },
  { table: 'retired_keys', key: 'id', column: 'sealed' },
  { table: 'integrations', key: 'id', column: 'secrets' },
  { table: 'integrations', key: 'id', column: 'server_token' },
  { table: 'agent_tokens', key: 'id', column: 'token' },
] as const;

/** Tables whose rows belong to one account or organization by `owner_id`; they go when their owner is deleted. */
export const ownedTables = [
  'audit_log',
  'integrations',
  'rules',
  'agent_tokens',
  'resource_groups',
  'alert_profiles',
  'policies',
  'built_in_policies',
  'queries',
  'policy_exceptions',
  'sequences',
  'saved_searches',
  'evaluations',
  'violations',
  'alerts',
  'evidence',
  'activity_summaries',
  'alert_entities',
  'alert_entries',
  'deliveries',
  'exports',
] as const satisfies readonly TableName[];
