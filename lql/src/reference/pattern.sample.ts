import { RE2JS } from 're2js';

/** Whether a regular expression matches the whole string; null if invalid. */
export function fullMatch(text: string, pattern: string): boolean | null {
  try {
    return RE2JS.compile(pattern).matches(text);
  } catch {
    return null;
  }
}
