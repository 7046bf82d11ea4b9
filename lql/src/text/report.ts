import { positionOf } from './position.ts';
import type { Problem } from './problem.ts';

const maxExcerpt = 60;

/** One line per problem: position, excerpt and message. */
export function report(text: string, problems: readonly Problem[]): string {
  return problems.map((problem) => line(text, problem)).join('\n');
}

function line(text: string, problem: Problem): string {
  const { line, column } = positionOf(text, problem.start);
  const kind = problem.severity === 'warning' ? 'Warning: line' : 'Line';
  return `${kind} ${line}, column ${column}, ${subject(text, problem)}: ${problem.message}`;
}

function subject(text: string, { start, end }: Problem): string {
  const characters = [...text.slice(start, end).replace(/\s+/g, ' ').trim()];
  if (characters.length === 0) return start >= text.trimEnd().length ? 'at the end' : 'here';
  return `at ${characters.length > maxExcerpt ? `${characters.slice(0, maxExcerpt).join('')}…` : characters.join('')}`;
}
