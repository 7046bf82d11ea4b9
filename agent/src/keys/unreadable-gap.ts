import type { Gap } from '../source.ts';

const maxNamed = 3;

/** One gap for many files, of which there may be one for each user. */
export function unreadableGap(what: string, reasons: readonly string[]): Gap[] {
  if (reasons.length === 0) return [];
  const [first = ''] = reasons;
  const more = reasons.length > 1 ? ` ${reasons.length - 1} more can not be read.` : '';
  return [{ what, reason: `${first}${more}` }];
}

export function enumerated(paths: readonly string[]): string {
  const rest = paths.length - maxNamed;
  return [...paths.slice(0, maxNamed), ...(rest > 0 ? [`${rest} other files`] : [])].join(', ');
}
