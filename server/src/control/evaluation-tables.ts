/** Epoch milliseconds. */
type Instant = number;

/** State of policy evaluations. */
export interface EvaluationTables {
  /** Evaluation state of a policy on the data of one place; also the job of its next evaluation. */
  evaluations: {
    owner_id: string;
    policy_id: string;
    place: string;
    due_at: Instant;
    /** Lease of the node that evaluates it. */
    leased_until: Instant;
    /** Last evaluated batch, for policies that follow ingestion. */
    sequence: number;
    /** Paths of the followed streams up to that batch; null if none was evaluated yet. */
    followed: string | null;
    started_at: Instant | null;
    finished_at: Instant | null;
    /** Consecutive failures. */
    failures: number;
    /** Error of the last failed evaluation. */
    problem: string | null;
    /** JSON: counts of the last evaluation. */
    counts: string | null;
    /** Fingerprint of the evaluated policy, query and exceptions; a change makes the evaluation due immediately. */
    basis: string | null;
  };
  /** Current violations of policies, and those of events. */
  violations: {
    owner_id: string;
    policy_id: string;
    place: string;
    key: string;
    /** Display name in the timeline. */
    name: string;
    /** The alert that reports the violation. */
    alert_id: number | null;
    /** The exception that suppresses it. */
    exception_id: string | null;
    first_at: Instant;
    /** Start of the last evaluation that found it. */
    last_at: Instant;
  };
  /** Evidence of alerts, waiting to be stored as Events at its place. */
  evidence: {
    id: string;
    owner_id: string;
    place: string;
    /** JSON lines. */
    records: string;
  };
  /** Progress of the hourly cloud activity summaries, by account and stream. */
  activity_summaries: {
    owner_id: string;
    place: string;
    /** The path of the stream. */
    stream: string;
    leased_until: Instant;
    /** Hours before this are summarised, from batches up to `sequence`. */
    through: Instant;
    sequence: number;
    /** Whether these batches contained records of a later hour. */
    is_ahead: 0 | 1;
    /** JSON: limits of the current run, so that a restarted run repeats it exactly. */
    run: string | null;
  };
}
