import type { Problem } from '@vedette/lql/text/problem';
import { report } from '@vedette/lql/text/report';

const mostProblems = 20;
const longest = 4_000;

/** What is wrong with a query, a line for each problem: errors before warnings, and no more than somebody reads. */
export function complaints(text: string, problems: readonly Problem[]): string[] {
  const rank = ({ severity }: Problem) => (severity === 'error' ? 0 : 1);
  const lines: string[] = [];
  let length = 0;
  for (const problem of problems.toSorted((one, other) => rank(one) - rank(other)).slice(0, mostProblems)) {
    const line = report(text, [problem]);
    length += line.length + 1;
    if (lines.length > 0 && length > longest) break;
    lines.push(line.length > longest ? `${line.slice(0, longest)}…` : line);
  }
  const left = problems.length - lines.length;
  if (left > 0) lines.push(`There ${left === 1 ? 'is 1 more problem' : `are ${left} more problems`}.`);
  return lines;
}
