import type { Catalogue, Datasource } from '@vedette/lql/catalogue/catalogue';
import type { CheckedBlock, CheckedSource } from '@vedette/lql/check/checked';
import { operandsOf } from '@vedette/lql/check/operands';
import type { ParsedQuery } from './read-query.ts';

type DatasourceSource = Exclude<CheckedSource, { kind: 'expanded' }>;
type Writable<Source extends DatasourceSource> = { -readonly [Member in keyof Source]: Source[Member] };

/** A query to transfer between threads, without its datasources, since each thread has its own. */
export interface DetachedQuery {
  readonly read: ParsedQuery;
  /** The sources of the query, each with the name of its datasource only. */
  readonly sources: readonly DatasourceSource[];
}

/** Replaces datasources by their names. The query must not be used afterwards. */
export function detach(read: ParsedQuery): DetachedQuery {
  const sources = read.query.blocks.flatMap((block) => [...sourcesIn(block)]);
  for (const source of sources as Writable<DatasourceSource>[]) {
    source.datasource = { name: source.datasource.name } as Datasource;
  }
  return { read, sources };
}

/** Restores the datasources from this thread's catalogue; object identity is preserved by the transfer. */
export function attach({ read, sources }: DetachedQuery, catalogue: Catalogue): ParsedQuery {
  for (const source of sources as Writable<DatasourceSource>[]) {
    source.datasource = catalogue.find(source.datasource.name) as Datasource;
  }
  return read;
}

/** Includes the sources of nested blocks. */
function* sourcesIn({ sources, filter, returned }: CheckedBlock): Generator<DatasourceSource> {
  const values = [...(filter ? [filter] : []), ...returned.map(({ value }) => value)];
  for (const source of sources) {
    if (source.kind === 'expanded') values.push(source.array);
    else yield source;
  }
  for (let value = values.pop(); value; value = values.pop()) {
    if (value.kind === 'inSubquery') yield* sourcesIn(value.block);
    values.push(...operandsOf(value));
  }
}
