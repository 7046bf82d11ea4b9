import type { AgentTables } from './agent-tables.ts';
import type { Flag, Instant } from './columns.ts';
import type { EvaluationTables } from './evaluation-tables.ts';
import type { IdentityTables } from './identity-tables.ts';
import type { ReportTables } from './report-tables.ts';

/** Rows of the control store; structured values are JSON strings. */
export interface Tables extends AgentTables, IdentityTables, EvaluationTables, ReportTables {
  outbox: {
    id: string;
    /** Owner, for round-robin delivery. */
    owner_id: string;
    topic: string;
    payload: string;
    created_at: Instant;
    due_at: Instant;
    attempts: number;
  };
  sealing_check: { id: string; sealed: string };
  /** Secret keys that only older backups need, each encrypted with the current key. */
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
    /** JSON with every secret replaced by an empty string. */
    data: string;
    /** The secrets by path, as encrypted JSON. */
    secrets: string | null;
    props: string | null;
    state: string | null;
    server_token: string | null;
    /** Fingerprint of the server token, for lookups. */
    server_token_fingerprint: string | null;
    identity: string | null;
    updated_at: Instant;
    updated_by: string;
  };
  rules: {
    id: string;
    owner_id: string;
    family: string;
    /** JSON, including the name of the rule. */
    filters: string;
    /** JSON: ids of the alert channels, in the order given. */
    channels: string;
    /** JSON; only set for report rules. */
    report_types: string | null;
    updated_at: Instant;
    updated_by: string;
  };
  /** The collections of cloud accounts: the current or last one of each integration. */
  collections: {
    integration_id: string;
    owner_id: string;
    /** aws, gcp or azure. */
    cloud: string;
    /** When it is started next. */
    due_at: Instant;
    started_at: Instant | null;
    ended_at: Instant | null;
    /** The node that runs it, until the lease ends. */
    node: string | null;
    lease_until: Instant | null;
    /** JSON: what is finished, so that an interrupted collection goes on. */
    progress: string;
  };
  resource_groups: {
    id: string;
    owner_id: string;
    type: string;
    name: string;
    description: string;
    enabled: Flag;
    is_default: Flag;
    /** JSON: the membership query, in the form that is evaluated. */
    query: string;
    /** JSON: the same in the older form of the API, for groups created with it. */
    props: string | null;
    created_at: Instant;
    created_by: string;
    updated_at: Instant;
    updated_by: string;
  };
  alert_profiles: {
    id: string;
    owner_id: string;
    /** The predefined profile it extends. */
    base: string;
    /** JSON: its templates, in the order given. */
    alerts: string;
  };
  policies: {
    id: string;
    owner_id: string;
    policy_type: string;
    /** Empty for manual policies. */
    query_id: string;
    title: string;
    description: string;
    remediation: string;
    severity: string;
    enabled: Flag;
    alert_enabled: Flag;
    row_limit: number;
    eval_frequency: string;
    /** Profile, or profile and template, as given; empty if none. */
    alert_profile: string;
    /** JSON. */
    tags: string;
    /** JSON: the constraints that exceptions may use. */
    exception_configuration: string;
    evaluator_id: string | null;
    created_by: string;
    updated_at: Instant;
    updated_by: string;
  };
  /** Per-owner settings of built-in policies. */
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
  /** The last issued number of each sequence. */
  sequences: { id: string; owner_id: string; last: number };
  /** Searches too long for the URL of their next page. */
  saved_searches: { id: string; owner_id: string; question: string; expires_at: Instant };
  /** Restores that replaced telemetry; start-up completes an interrupted one. */
  restores: { id: string; created_at: Instant };
  alerts: {
    /** Sequential per account. */
    id: number;
    owner_id: string;
    policy_id: string;
    /** The hour whose violations it reports. */
    window_start: Instant;
    /** Number of alerts of the same window that were closed before it was raised. */
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
    /** All violations, including those not listed. */
    violations: number;
    /** Violations whose entities and marks are stored. */
    listed: number;
    /** When it was raised. */
    start_at: Instant;
    /** When the last violation joined it. */
    end_at: Instant;
    user_updated_at: Instant | null;
    close_reason: number | null;
    /** Whether a rule routes it to a channel. */
    is_routed: Flag;
    created_at: Instant;
    updated_at: Instant;
    /** Timestamps of the first and last event, as reported by the events. */
    first_event_at: Instant | null;
    last_event_at: Instant | null;
    /**
     * JSON: entities, up to the limit of the policy. The large columns come last, so that SQLite need not read past
     * them.
     */
    entity_map: string;
    /** JSON: the values by which exceptions match the violations. */
    marks: string;
  };
  /** Entities of alerts, to find the alerts of an entity. */
  alert_entities: {
    owner_id: string;
    /** Digest of the kind and key of the entity. */
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
  /** Messages about alerts, waiting or completed. */
  deliveries: {
    /** Sent in every message, so that receivers can detect duplicates. */
    id: string;
    owner_id: string;
    alert_id: number;
    channel_id: string;
    /** The event of the alert that the message reports. */
    occasion: string;
    /** When the first announced entity joined; 0 for other occasions. */
    window_start: Instant;
    /** JSON: the channel-independent content. */
    message: string;
    state: 'waiting' | 'delivered' | 'dead';
    attempts: number;
    due_at: Instant;
    created_at: Instant;
    updated_at: Instant;
    /** Error of the last failed attempt. */
    problem: string | null;
    /** JSON: ids assigned by the receiver. */
    external: string | null;
  };
  /** While it has a row, no node delivers or exports anything. */
  delivery_holds: { id: string; since: Instant };
  /** Circuit breakers of channels with recent failures. */
  channel_circuits: { channel_id: string; failures: number; opened_at: Instant; open_until: Instant };
  /** Hourly exports of a dataset by a rule, waiting or completed. */
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
  /** When the queue of an integration is read next, or until when a node leases it. */
  audit_queues: {
    integration_id: string;
    owner_id: string;
    /** Of the lease; empty if none reads the queue. */
    holder: string;
    due_at: Instant;
    /** Consecutive runs that failed. */
    failures: number;
    /** When the settings of the last run were changed. */
    settings_at: Instant;
  };
  /** Log objects that a queue announced: stored, still growing, failed and to be tried again, or set aside for good. */
  audit_objects: {
    integration_id: string;
    /** Of the object and its content. */
    identity: string;
    owner_id: string;
    state: 'stored' | 'growing' | 'failed' | 'set aside';
    attempts: number;
    /** Bytes that are stored, of an object that grows. */
    bytes: number;
    updated_at: Instant;
    /** For people; only of objects that are not stored. */
    name: string | null;
    reason: string | null;
  };
  rate_takes: { bucket: string; id: string; taken_at: Instant; tokens: number };
}

export type TableName = keyof Tables;

/**
 * Tables of a backup with their primary keys, each after those it references. Rate takes, saved searches, circuits
 * and what is known of audit logs are short-lived, and restores and holds belong to the installation, so they are omitted.
 * Sessions and sign-in links are omitted too: a restore ends them with the users that it replaces.
 */
export const backedUpTables = {
  organizations: ['id'],
  accounts: ['id'],
  users: ['id'],
  memberships: ['user_id', 'account_id'],
  api_keys: ['id'],
  access_tokens: ['fingerprint'],
  passwords: ['user_id'],
  audit_log: ['id'],
  outbox: ['id'],
  sealing_check: ['id'],
  retired_keys: ['id'],
  integrations: ['id'],
  rules: ['id'],
  agent_tokens: ['id'],
  replaced_agent_tokens: ['fingerprint'],
  resource_groups: ['id'],
  queries: ['owner_id', 'id'],
  sequences: ['owner_id', 'id'],
  alert_profiles: ['owner_id', 'id'],
  policies: ['owner_id', 'id'],
  built_in_policies: ['owner_id', 'id'],
  policy_exceptions: ['id'],
  report_definitions: ['id'],
  report_definition_versions: ['id', 'version'],
  report_distributions: ['id'],
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

/** Columns encrypted by the keyring; a key rotation encrypts each of them again. */
export const sealedColumns = [
  { table: 'sealing_check', key: 'id', column: 'sealed' },
  { table: 'retired_keys', key: 'id', column: 'sealed' },
  { table: 'integrations', key: 'id', column: 'secrets' },
  { table: 'integrations', key: 'id', column: 'server_token' },
  { table: 'agent_tokens', key: 'id', column: 'token' },
] as const;

/** Tables with rows owned by an account or organization (`owner_id`), deleted together with it. */
export const ownedTables = [
  'audit_log',
  'integrations',
  'rules',
  'agent_tokens',
  'replaced_agent_tokens',
  'resource_groups',
  'alert_profiles',
  'policies',
  'built_in_policies',
  'queries',
  'policy_exceptions',
  'report_definitions',
  'report_definition_versions',
  'report_distributions',
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
  'collections',
  'audit_queues',
  'audit_objects',
] as const satisfies readonly TableName[];
