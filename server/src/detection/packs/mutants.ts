import { parse } from '@vedette/lql/syntax/parser';
import { print } from '@vedette/lql/syntax/printer';
import type { Block, Expression } from '@vedette/lql/syntax/tree';

/** A query that is wrong in one place. */
export interface Mutant {
  /** What was done to it. */
  readonly change: string;
  readonly text: string;
}

/** A change of a condition: what takes its place, or undefined where nothing does. */
interface Change {
  readonly change: string;
  readonly to: Expression | undefined;
}

/** The query without each predicate of its filter, with its opposite, and without each value of its lists, in turn. */
export function mutantsOf(text: string): Mutant[] {
  const { document } = parse(text);
  if (!document) throw new Error(`This is no query: ${text}`);
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

function* changesOf(condition: Expression, text: string): Generator<Change> {
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

/** Of what a predicate consists of several of. */
function* innerChanges(condition: Expression, text: string): Generator<Change> {
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
  // The first is the list that is looked into.
  if (condition.kind === 'call' && condition.name.text.toLowerCase() === 'any_in_array')
    for (const [place, value] of condition.values.entries())
      if (place > 0 && condition.values.length > 2)
        yield { change: without(value), to: { ...condition, values: condition.values.toSpliced(place, 1) } };
}
