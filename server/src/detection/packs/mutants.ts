import { parse } from '@vedette/lql/syntax/parser';
import { print } from '@vedette/lql/syntax/printer';
import type { Block, Expression } from '@vedette/lql/syntax/tree';

/** A query with one defect, for mutation testing. */
export interface Mutant {
  /** Description of the mutation. */
  readonly change: string;
  readonly text: string;
}

/** A mutation of a condition: its replacement, or undefined to remove it. */
interface Mutation {
  readonly change: string;
  readonly to: Expression | undefined;
}

/** Mutants of the query: each predicate removed or negated, and each value of a list removed. */
export function mutantsOf(text: string): Mutant[] {
  const { document } = parse(text);
  if (!document) throw new Error(`Invalid query: ${text}`);
  const { body } = document;
  if (body.kind === 'block')
    return blockChanges(body, text).map(({ change, block }) => ({
      change,
      text: print({ ...document, body: block }),
    }));
  return body.blocks.flatMap((block, place) =>
    blockChanges(block, text).map(({ change, block: changed }) => ({
      change,
      text: print({ ...document, body: { ...body, blocks: body.blocks.with(place, changed) } }),
    })),
  );
}

function blockChanges(block: Block, text: string): { change: string; block: Block }[] {
  if (!block.filter) return [];
  return [...changesOf(block.filter, text)].map(({ change, to }) => ({
    change,
    block: { ...block, filter: to },
  }));
}

function* changesOf(condition: Expression, text: string): Generator<Mutation> {
  if (condition.kind === 'logical') {
    const { values } = condition;
    for (const [place, value] of values.entries())
      for (const { change, to } of changesOf(value, text)) {
        const rest = to ? values.with(place, to) : values.toSpliced(place, 1);
        yield { change, to: rest.length > 1 ? { ...condition, values: rest } : rest[0] };
      }
    return;
  }
  if (condition.kind === 'not') {
    for (const { change, to } of changesOf(condition.of, text))
      yield { change, to: to && { ...condition, of: to } };
    return;
  }
  const written = text.slice(condition.start, condition.end).replaceAll(/\s+/g, ' ');
  yield { change: `without ${written}`, to: undefined };
  const { start, end } = condition;
  yield { change: `with the opposite of ${written}`, to: { kind: 'not', of: condition, start, end } };
  yield* innerChanges(condition, text);
}

/** Mutations within a predicate. */
function* innerChanges(condition: Expression, text: string): Generator<Mutation> {
  const without = (part: Expression) => `without ${text.slice(part.start, part.end)} in its list`;
  if (condition.kind === 'inBlock')
    for (const { change, block } of blockChanges(condition.block, text))
      yield { change, to: { ...condition, block } };
  if (condition.kind === 'inList' && condition.values.length > 1)
    for (const [place, value] of condition.values.entries())
      yield { change: without(value), to: { ...condition, values: condition.values.toSpliced(place, 1) } };
  if (condition.kind === 'pattern' && condition.patterns.length > 1)
    for (const [place, value] of condition.patterns.entries())
      yield {
        change: without(value),
        to: { ...condition, patterns: condition.patterns.toSpliced(place, 1) },
      };
  // The first argument is the array to search.
  if (condition.kind === 'call' && condition.name.text.toLowerCase() === 'any_in_array')
    for (const [place, value] of condition.values.entries())
      if (place > 0 && condition.values.length > 2)
        yield { change: without(value), to: { ...condition, values: condition.values.toSpliced(place, 1) } };
}
