import { UsageError } from './usage-error.ts';

/** Parses an integer option; undefined when the option is absent. */
export function integerOption(
  option: string,
  value: string | boolean | undefined,
  min: number,
  max: number,
): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(String(value)) || number < min || number > max)
    throw new UsageError(`--${option} must be an integer from ${min} to ${max}, not '${value}'.`);
  return number;
}
