import type { Target } from './target.ts';

/** `ms` bounds depend on the speed of the host; the others apply everywhere. */
export type Unit = 'ms' | 'MB' | 'count' | 'cores';

export interface Bound {
  readonly max: number;
  readonly unit: Unit;
}

export type Bounds = Readonly<Record<string, Bound>>;
export type Measured<Names extends string = string> = Readonly<Record<Names, number>>;

export interface Attack<Names extends string = string> {
  readonly name: string;
  readonly description: string;
  readonly bounds: Readonly<Record<Names, Bound>>;
  /** Seconds until the attack counts as failed. */
  readonly timeLimit: number;
  /** Also run in CI, where bounds on time are reported but do not decide. */
  readonly isQuick: boolean;
  /** Environment of the server, beyond the defaults. */
  readonly settings: Readonly<Record<string, string>>;
  /** Megabytes of a separate file system for the data directory. */
  readonly disk: number | undefined;
  /** Undefined if it can run on this host. */
  unavailableReason(): string | undefined;
  measure(target: Target): Promise<Measured<NoInfer<Names>>>;
}

type Optional = 'timeLimit' | 'isQuick' | 'settings' | 'disk' | 'unavailableReason';
type Declared<Names extends string> = Omit<Attack<Names>, Optional> & Partial<Pick<Attack<Names>, Optional>>;

export function defineAttack<const Names extends string>(declared: Declared<Names>): Attack<Names> {
  return {
    timeLimit: 120,
    isQuick: false,
    settings: {},
    disk: undefined,
    unavailableReason: () => undefined,
    ...declared,
  };
}

/** The delay of the event loop, measured by requests to /healthz on a separate connection. */
export const responsive = { delayP99: { max: 100, unit: 'ms' } } as const;
export const none: Bound = { max: 0, unit: 'count' };
export const milliseconds = (max: number): Bound => ({ max, unit: 'ms' });
export const megabytes = (max: number): Bound => ({ max, unit: 'MB' });
export const count = (max: number): Bound => ({ max, unit: 'count' });

/** The names of exceeded bounds; a missing measurement exceeds its bound. */
export function exceeded(bounds: Bounds, measured: Measured, ignoresTime: boolean): string[] {
  return Object.entries(bounds)
    .filter(([, { unit }]) => !(ignoresTime && unit === 'ms'))
    .filter(([name, { max }]) => !((measured[name] ?? Number.NaN) <= max))
    .map(([name]) => name);
}
