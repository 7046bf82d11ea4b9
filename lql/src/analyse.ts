import type { Catalogue } from './catalogue/catalogue.ts';
import { check } from './check/check.ts';
import type { CheckedQuery } from './check/checked.ts';
import { parse } from './syntax/parser.ts';
import type { Document } from './syntax/tree.ts';
import type { Problem } from './text/problem.ts';

export interface Analysis {
  readonly document: Document | undefined;
  /** Undefined when there is an error. */
  readonly query: CheckedQuery | undefined;
  /** Sorted by position. */
  readonly problems: readonly Problem[];
}

/** Parses a query and checks it against a catalogue. */
export function analyse(text: string, catalogue: Catalogue): Analysis {
  const { document, problems } = parse(text);
  if (!document) return { document, query: undefined, problems: sortedByPosition(problems) };
  const checked = check(document, catalogue);
  const hasSyntaxError = problems.some(({ severity }) => severity === 'error');
  return {
    document,
    query: hasSyntaxError ? undefined : checked.query,
    problems: sortedByPosition([...problems, ...checked.problems]),
  };
}

function sortedByPosition(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted((one, other) => one.start - other.start || one.end - other.end);
}
