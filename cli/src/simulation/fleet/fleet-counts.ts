import type { Answer } from '@vedette/agent/delivery/connection';

export interface StoredCount {
  batches: number;
  records: number;
}

/** What the agents of a fleet have sent, and how the server answered. */
export class FleetCounts {
  /** Agents of which the server has stored something. */
  agents = 0;
  /** Requests. */
  sent = 0;
  /** Requests that repeat the one before, with the same idempotency key. */
  retried = 0;
  /** Answers other than 200, by status. */
  readonly refused = new Map<number, number>();
  /** Requests without an answer. */
  unanswered = 0;
  /** Batches that the server had stored before: their answer did not arrive. */
  repeated = 0;
  /** Stored batches and records by dataset, repeated ones included. */
  readonly stored = new Map<string, StoredCount>();

  get acknowledged(): StoredCount {
    const total = { batches: 0, records: 0 };
    for (const { batches, records } of this.stored.values()) {
      total.batches += batches;
      total.records += records;
    }
    return total;
  }

  get refusals(): number {
    return [...this.refused.values()].reduce((sum, count) => sum + count, 0);
  }

  note(dataset: string, { status, text }: Answer): void {
    if (status !== 200) {
      this.refused.set(status, (this.refused.get(status) ?? 0) + 1);
      return;
    }
    const { accepted, repeated } = (JSON.parse(text) as { data: { accepted: number; repeated: number } })
      .data;
    if (repeated > 0) this.repeated += 1;
    const stored = this.stored.get(dataset) ?? { batches: 0, records: 0 };
    stored.batches += 1;
    stored.records += accepted;
    this.stored.set(dataset, stored);
  }
}
