import { placeOf } from './place.ts';
import type { Problem } from './problem.ts';

const longest = 60;

/** A line for each problem: where it stands, which text it is about, what is wrong and what to do. */
export function report(text: string, problems: readonly Problem[]): string {
  return problems.map((problem) => line(text, problem)).join('\n');
}

function line(text: string, problem: Problem): string {
  const { line, column } = placeOf(text, problem.start);
  const kind = problem.severity === 'warning' ? 'Warning: line' : 'Line';
  return `${kind} ${line}, column ${column}, ${subject(text, problem)}: ${problem.message}`;
}

function subject(text: string, { start, end }: Problem): string {
  const characters = [...text.slice(start, end).replace(/\s+/g, ' ').trim()];
  if (characters.length === 0) return start >= text.trimEnd().length ? 'at the end' : 'here';
  return `at ${characters.length > longest ? `${characters.slice(0, longest).join('')}…` : characters.join('')}`;
}
