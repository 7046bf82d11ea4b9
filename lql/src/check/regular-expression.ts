import type { StringLiteral } from '../syntax/tree.ts';
import type { Span } from '../text/span.ts';
import type { Problems } from './problems.ts';
import { refusedPart } from './re2.ts';

/** Complains of a pattern that the engines can not run, at the part that they can not. */
export function checkRegularExpression(literal: StringLiteral, problems: Problems): void {
  const refused = refusedPart(literal.value);
  if (refused) problems.error(placeIn(literal, refused.start, refused.end), refused.message);
}

/** Where a part of a text stands in its literal. Behind escapes that is not known, and the whole literal is meant. */
function placeIn({ form, value, start, end }: StringLiteral, from: number, to: number): Span {
  const opening = form === 'plain' ? 2 : 1;
  const quotes = (until: number) => (form === 'plain' ? value.slice(0, until).split("'").length - 1 : 0);
  const isAsWritten = end - start === value.length + quotes(value.length) + opening + 1;
  if (!isAsWritten) return { start, end };
  const begin = start + opening;
  return { start: begin + from + quotes(from), end: begin + to + quotes(to) };
}
