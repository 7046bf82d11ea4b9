/** Epoch milliseconds. */
type Instant = number;

/** Where policies stand. */
export interface EvaluationTables {
  /** How far a policy was judged, on what is reported at one place; also the job that judges it the next time. */
  evaluations: {
    owner_id: string;
    policy_id: string;
    place: string;
    due_at: Instant;
    /** A node is at it until then, unless it dies. */
    leased_until: Instant;
    /** The number of the last batch that was judged, where policies follow what arrives. */
    sequence: number;
    /** The paths of what it followed up to there; null when nothing was judged yet of what arrives. */
    followed: string | null;
    started_at: Instant | null;
    finished_at: Instant | null;
    /** In a row. */
    failures: number;
    /** Why the last one failed. */
    problem: string | null;
    /** JSON: what the last one found. */
    counts: string | null;
    /** What of the policy, its query and exceptions was judged; another one is due at once. */
    basis: string | null;
  };
  /** What violates a policy now, or did when it happened. */
  violations: {
    owner_id: string;
    policy_id: string;
    place: string;
    key: string;
    /** What it is called in a timeline. */
    name: string;
    /** The alert that tells of it. */
    alert_id: number | null;
    /** The exception that exempts it. */
    exception_id: string | null;
    first_at: Instant;
    /** When the last evaluation began that found it. */
    last_at: Instant;
  };
  /** What was found about alerts and waits to be stored as Events where it was found. */
  evidence: {
    id: string;
    owner_id: string;
    place: string;
    /** Lines of JSON. */
    records: string;
  };
  /** How far what was done in clouds is summed up, in an account and of one stream. */
  activity_summaries: {
    owner_id: string;
    place: string;
    /** The path of the stream. */
    stream: string;
    leased_until: Instant;
    /** Hours before it are summed up, of what came in batches up to the number. */
    through: Instant;
    sequence: number;
    /** Whether something of a later hour was among these. */
    is_ahead: 0 | 1;
    /** JSON: how far the present run goes, so that one that is begun again does the same. */
    run: string | null;
  };
}
