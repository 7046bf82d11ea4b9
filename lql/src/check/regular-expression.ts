import type { StringLiteral } from '../syntax/tree.ts';
import type { Span } from '../text/span.ts';
import type { Problems } from './problems.ts';
import { unsupportedSyntax } from './re2.ts';

/** Reports the part of a pattern that RE2 rejects. */
export function checkRegularExpression(literal: StringLiteral, problems: Problems): void {
  const unsupported = unsupportedSyntax(literal.value);
  if (unsupported) problems.error(spanIn(literal, unsupported.start, unsupported.end), unsupported.message);
}

/** Position of a substring in its literal; the whole literal if it contains escapes. */
function spanIn({ form, value, start, end }: StringLiteral, from: number, to: number): Span {
  const opening = form === 'plain' ? 2 : 1;
  const quotes = (until: number) => (form === 'plain' ? value.slice(0, until).split("'").length - 1 : 0);
  const isAsWritten = end - start === value.length + quotes(value.length) + opening + 1;
  if (!isAsWritten) return { start, end };
  const begin = start + opening;
  return { start: begin + from + quotes(from), end: begin + to + quotes(to) };
}
