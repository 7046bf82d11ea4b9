import { Refusal } from '../platform/errors.ts';

export const alertStatuses = ['Open', 'Closed'] as const;
export type AlertStatus = (typeof alertStatuses)[number];

/** Actions on an alert: violations join it or are cleared; users comment on it and close it. */
export type AlertAction = 'join' | 'clear' | 'comment' | 'close';

/** Status transitions; null forbids the action. There is no transition from Closed to Open. */
export const lifeCycle: Readonly<Record<AlertStatus, Readonly<Record<AlertAction, AlertStatus | null>>>> = {
  Open: { join: 'Open', clear: 'Open', comment: 'Open', close: 'Closed' },
  Closed: { join: null, clear: 'Closed', comment: 'Closed', close: null },
};

/** The status after an action. Clients match the beginning of the error message. */
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
