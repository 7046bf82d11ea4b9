/**
 * The lifecycle of a day's segment: `arriving` until the day is over, then `sealed` (sorted by account and time),
 * and after a week `cold` (compressed).
 */
export type SegmentForm = 'arriving' | 'sealed' | 'cold';

/** A file of one day. Each rewrite increments its generation. */
export interface SegmentFile {
  readonly day: string;
  readonly form: SegmentForm;
  readonly generation: number;
}

const suffix = '.duckdb';
const pattern = /^(\d{4}-\d{2}-\d{2})(?:\.(sealed|cold)-(\d{1,9}))?\.duckdb$/;

/** `2026-03-01`, `2026-03-01.sealed-1`, `2026-03-01.cold-2`; also the database name in the engine. */
export function stemOf({ day, form, generation }: SegmentFile): string {
  return form === 'arriving' ? day : `${day}.${form}-${generation}`;
}

export function fileNameOf(file: SegmentFile): string {
  return stemOf(file) + suffix;
}

/** Undefined if the file is not a segment. */
export function parseFileName(name: string): SegmentFile | undefined {
  const match = pattern.exec(name);
  if (!match?.[1]) return undefined;
  return { day: match[1], form: (match[2] ?? 'arriving') as SegmentForm, generation: Number(match[3] ?? 0) };
}
