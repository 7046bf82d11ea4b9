import { Refusal } from '../platform/errors.ts';

export const alertStatuses = ['Open', 'Closed'] as const;
export type AlertStatus = (typeof alertStatuses)[number];

/** What happens to an alert: violations join it or are cleared, people comment on it and close it. */
export type AlertAction = 'join' | 'clear' | 'comment' | 'close';

/** What becomes of an alert. Null: it does not happen. Nothing leads from Closed to Open. */
export const lifeCycle: Readonly<Record<AlertStatus, Readonly<Record<AlertAction, AlertStatus | null>>>> = {
  Open: { join: 'Open', clear: 'Open', comment: 'Open', close: 'Closed' },
  Closed: { join: null, clear: 'Closed', comment: 'Closed', close: null },
};

/** The status afterwards. The beginning of the message is what clients look for. */
export function statusAfter(status: string, action: AlertAction): AlertStatus {
  const next = lifeCycle[status as AlertStatus][action];
  if (next) return next;
  throw new Refusal(
    'CONFLICT',
    `The action on this alert is not allowed: the alert is already ${status.toLowerCase()}.`,
  );
}

export function allows(status: string, action: AlertAction): boolean {
  return lifeCycle[status as AlertStatus][action] !== null;
}
