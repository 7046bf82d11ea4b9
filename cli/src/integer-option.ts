import { UsageError } from './usage-error.ts';

/** Parses an integer option; undefined when the option is absent. */
export function integerOption(
  option: string,
  text: string | boolean | undefined,
  min: number,
  max: number,
): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d+$/.test(String(text)) || number < min || number > max)
    throw new UsageError(`--${option} must be an integer from ${min} to ${max}, not '${text}'.`);
  return number;
}
