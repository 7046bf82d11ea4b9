import type { Target } from './target.ts';

/** `ms` bounds depend on the speed of the machine; the others hold everywhere. */
export type Unit = 'ms' | 'MB' | 'count' | 'cores';

export interface Bound {
  readonly atMost: number;
  readonly unit: Unit;
}

export type Bounds = Readonly<Record<string, Bound>>;
export type Measured<Names extends string = string> = Readonly<Record<Names, number>>;

export interface Attack<Names extends string = string> {
  readonly name: string;
  readonly does: string;
  readonly bounds: Readonly<Record<Names, Bound>>;
  /** Seconds until the attack counts as failed. */
  readonly timeLimit: number;
  /** Also run in CI, where bounds on time are reported but do not decide. */
  readonly isQuick: boolean;
  /** Settings of the server beyond the defaults. */
  readonly settings: Readonly<Record<string, string>>;
  /** Megabytes of a file system of its own for the data directory. */
  readonly disk: number | undefined;
  /** Why it can not run on this machine. */
  isImpossible(): string | undefined;
  measure(target: Target): Promise<Measured<NoInfer<Names>>>;
}

type Optional = 'timeLimit' | 'isQuick' | 'settings' | 'disk' | 'isImpossible';
type Declared<Names extends string> = Omit<Attack<Names>, Optional> & Partial<Pick<Attack<Names>, Optional>>;

export function defineAttack<const Names extends string>(declared: Declared<Names>): Attack<Names> {
  return {
    timeLimit: 120,
    isQuick: false,
    settings: {},
    disk: undefined,
    isImpossible: () => undefined,
    ...declared,
  };
}

/** The delay of the event loop, as a request to /healthz on a connection of its own sees it. */
export const responsive = { delayP99: { atMost: 100, unit: 'ms' } } as const;
export const none: Bound = { atMost: 0, unit: 'count' };
export const milliseconds = (atMost: number): Bound => ({ atMost, unit: 'ms' });
export const megabytes = (atMost: number): Bound => ({ atMost, unit: 'MB' });
export const count = (atMost: number): Bound => ({ atMost, unit: 'count' });

/** The bounds that are exceeded; what was not measured exceeds its bound. */
export function exceeded(bounds: Bounds, measured: Measured, ignoresTime: boolean): string[] {
  return Object.entries(bounds)
    .filter(([, { unit }]) => !(ignoresTime && unit === 'ms'))
    .filter(([name, { atMost }]) => !((measured[name] ?? Number.NaN) <= atMost))
    .map(([name]) => name);
}
