import { RE2JS } from 're2js';

/** Whether a regular expression matches the whole string; null if invalid. */
export function fullMatch(string: string, pattern: string): boolean | null {
  try {
    return RE2JS.compile(pattern).matches(string);
  } catch {
    return null;
  }
}
