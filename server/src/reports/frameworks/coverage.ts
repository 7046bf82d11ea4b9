import type { Check } from './checks.ts';
import type { Framework } from './framework.ts';

/** How much of a framework the policies of a release assess. */
export interface FrameworkCoverage {
  readonly controls: number;
  /** Controls with at least one check that needs no person. */
  readonly automated: number;
  /** Automated controls of which every such check has a policy. */
  readonly covered: number;
  /** Keys of such checks without a policy, in the order of the framework. */
  readonly missing: readonly string[];
}

/** `implemented` are the keys that policies name. */
export function coverageOf(
  { sections }: Framework,
  checks: ReadonlyMap<string, Check>,
  implemented: ReadonlySet<string>,
): FrameworkCoverage {
  const controls = sections.flatMap((section) => section.controls);
  const automated = controls
    .map((control) => control.checks.filter((key) => checks.get(key)?.isAttested === false))
    .filter((keys) => keys.length > 0);
  const covered = automated.filter((keys) => keys.every((key) => implemented.has(key)));
  const missing = new Set(automated.flat().filter((key) => !implemented.has(key)));
  return {
    ...{ controls: controls.length, automated: automated.length },
    ...{ covered: covered.length, missing: [...missing] },
  };
}
