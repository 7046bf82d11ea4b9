import type { Problem } from '@vedette/lql/text/problem';
import { report } from '@vedette/lql/text/report';

const maxProblems = 20;
const maxLength = 4_000;

/** The problems of a query, one line each: errors before warnings, bounded in number and length. */
export function problemLines(text: string, problems: readonly Problem[]): string[] {
  const rank = ({ severity }: Problem) => (severity === 'error' ? 0 : 1);
  const lines: string[] = [];
  let length = 0;
  for (const problem of problems.toSorted((one, other) => rank(one) - rank(other)).slice(0, maxProblems)) {
    const line = report(text, [problem]);
    length += line.length + 1;
    if (lines.length > 0 && length > maxLength) break;
    lines.push(line.length > maxLength ? `${line.slice(0, maxLength)}…` : line);
  }
  const omitted = problems.length - lines.length;
  if (omitted > 0)
    lines.push(`There ${omitted === 1 ? 'is 1 more problem' : `are ${omitted} more problems`}.`);
  return lines;
}
