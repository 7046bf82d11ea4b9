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
  return body.blocks.flatMap((block, index) =>
    blockChanges(block, text).map(({ change, block: changed }) => ({
      change,
      text: print({ ...document, body: { ...body, blocks: body.blocks.with(index, changed) } }),
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
    for (const [index, value] of values.entries())
      for (const { change, to } of changesOf(value, text)) {
        const rest = to ? values.with(index, to) : values.toSpliced(index, 1);
        yield { change, to: rest.length > 1 ? { ...condition, values: rest } : rest[0] };
      }
    return;
  }
  if (condition.kind === 'not') {
    for (const { change, to } of changesOf(condition.of, text))
      yield { change, to: to && { ...condition, of: to } };
    return;
  }
  const source = text.slice(condition.start, condition.end).replaceAll(/\s+/g, ' ');
  yield { change: `without ${source}`, to: undefined };
  const { start, end } = condition;
  yield { change: `with the opposite of ${source}`, to: { kind: 'not', of: condition, start, end } };
  yield* innerChanges(condition, text);
}

/** Mutations within a predicate. */
function* innerChanges(condition: Expression, text: string): Generator<Mutation> {
  const without = (value: Expression) => `without ${text.slice(value.start, value.end)} in its list`;
  if (condition.kind === 'inBlock')
    for (const { change, block } of blockChanges(condition.block, text))
      yield { change, to: { ...condition, block } };
  if (condition.kind === 'inList' && condition.values.length > 1)
    for (const [index, value] of condition.values.entries())
      yield { change: without(value), to: { ...condition, values: condition.values.toSpliced(index, 1) } };
  if (condition.kind === 'pattern' && condition.patterns.length > 1)
    for (const [index, value] of condition.patterns.entries())
      yield {
        change: without(value),
        to: { ...condition, patterns: condition.patterns.toSpliced(index, 1) },
      };
  // The first argument is the array to search.
  if (condition.kind === 'call' && condition.name.text.toLowerCase() === 'any_in_array')
    for (const [index, value] of condition.values.entries())
      if (index > 0 && condition.values.length > 2)
        yield { change: without(value), to: { ...condition, values: condition.values.toSpliced(index, 1) } };
}
