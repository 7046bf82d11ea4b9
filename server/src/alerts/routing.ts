import type { ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import type { Violation } from './finding.ts';

/** Decides where alerts go; what is sent is written down in the transaction that makes the alert. */
export interface Router {
  /**
   * Sends an alert, as it is stored now, to the channels of the rules that it matches by these violations. Asked again
   * when violations join, it sends to channels only that did not get the alert yet.
   */
  route(tx: ControlTransaction, alert: Tables['alerts'], violations: readonly Violation[]): Promise<void>;
  /** Tells those of the channels that an alert went to and that follow it that it is closed. */
  closed(tx: ControlTransaction, alert: Tables['alerts']): Promise<void>;
}
