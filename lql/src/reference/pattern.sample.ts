import { RE2JS } from 're2js';

/** Whether a regular expression fits the whole text; null if it can not be read. */
export function fullMatch(text: string, pattern: string): boolean | null {
  try {
    return RE2JS.compile(pattern).matches(text);
  } catch {
    return null;
  }
}
