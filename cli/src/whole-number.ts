import { UsageError } from './usage-error.ts';

/** The value of an option that is a whole number; undefined when the option was not given. */
export function wholeNumber(
  option: string,
  text: string | boolean | undefined,
  least: number,
  most: number,
): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d+$/.test(String(text)) || number < least || number > most)
    throw new UsageError(`--${option} must be an integer from ${least} to ${most}, not '${text}'.`);
  return number;
}
