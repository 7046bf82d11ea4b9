import type { Catalogue, Datasource } from '@vedette/lql/catalogue/catalogue';
import type { CheckedBlock, CheckedSource } from '@vedette/lql/check/checked';
import { partsOf } from '@vedette/lql/check/parts';
import type { ReadQuery } from './read-query.ts';

type Read = Exclude<CheckedSource, { kind: 'expanded' }>;
type Writable<Source extends Read> = { -readonly [Member in keyof Source]: Source[Member] };

/** A query that goes from a thread to another: the datasources stay behind, since each thread has its own. */
export interface Detached {
  readonly read: ReadQuery;
  /** The sources in the query that name a datasource, with its name alone. */
  readonly sources: readonly Read[];
}

/** Leaves only the names of the datasources. The query must not be used any more. */
export function detach(read: ReadQuery): Detached {
  const sources = read.query.blocks.flatMap((block) => [...sourcesIn(block)]);
  for (const source of sources as Writable<Read>[]) {
    source.datasource = { name: source.datasource.name } as Datasource;
  }
  return { read, sources };
}

/** Puts the datasources of this thread back into the query; an object that was sent twice is still one. */
export function attach({ read, sources }: Detached, catalogue: Catalogue): ReadQuery {
  for (const source of sources as Writable<Read>[]) {
    source.datasource = catalogue.find(source.datasource.name) as Datasource;
  }
  return read;
}

/** Those of the blocks inside a block too. */
function* sourcesIn({ sources, filter, returned }: CheckedBlock): Generator<Read> {
  const values = [...(filter ? [filter] : []), ...returned.map(({ value }) => value)];
  for (const source of sources) {
    if (source.kind === 'expanded') values.push(source.array);
    else yield source;
  }
  for (let value = values.pop(); value; value = values.pop()) {
    if (value.kind === 'within') yield* sourcesIn(value.block);
    values.push(...partsOf(value));
  }
}
