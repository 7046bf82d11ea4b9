import fc from 'fast-check';
import type { ColumnType, Datasource } from '../catalogue/catalogue.ts';
import type { CheckedBlock, CheckedQuery, CheckedSource } from '../check/checked.ts';
import { type Builder, columnTypes, converted, expressions, reference } from './expression.sample.ts';
import { testDatasources } from './tables.sample.ts';

/** One more source, if the existing ones allow it. */
function source(json: fc.Arbitrary<Builder>): fc.Arbitrary<Builder<CheckedSource | undefined>> {
  const table = fc.constantFrom(...testDatasources).map(
    (datasource): Builder<CheckedSource> =>
      () => ({ kind: 'table', datasource }),
  );
  const joined = fc.tuple(fc.nat(20), fc.nat(20)).map(
    ([at, link]): Builder<CheckedSource | undefined> =>
      ({ sources }) => {
        const from = at % sources.length;
        const left = sources[from];
        if (!left || left.kind === 'expanded') return undefined;
        const { relationships } = left.datasource;
        const relationship = relationships[link % relationships.length];
        const datasource = testDatasources.find(({ name }) => name === relationship?.to);
        return relationship && datasource && { kind: 'joined', datasource, from, relationship };
      },
  );
  const expanded = fc.tuple(json, fc.boolean()).map(
    ([build, nonEmpty]): Builder<CheckedSource> =>
      (visible) => ({
        kind: 'expanded',
        array: build(visible),
        nonEmpty,
      }),
  );
  const lists = fc.tuple(fc.nat(20), fc.boolean()).map(
    ([choice, nonEmpty]): Builder<CheckedSource> =>
      (visible) => {
        const of = reference('Json', choice, visible);
        return { kind: 'expanded', array: { kind: 'path', type: 'Json', of, keys: ['list'] }, nonEmpty };
      },
  );
  return fc.oneof(
    { weight: 5, arbitrary: joined },
    { weight: 2, arbitrary: expanded },
    { weight: 4, arbitrary: lists },
    { weight: 1, arbitrary: table },
  );
}

function blockOf(types: readonly ColumnType[], depth: number): fc.Arbitrary<CheckedBlock> {
  const inner = (of: readonly ColumnType[]) =>
    depth > 0
      ? blockOf(of, depth - 1)
      : fc.constantFrom(...testDatasources).map((datasource) => columnsOf(of, datasource));
  const built = expressions(inner);
  return fc
    .record({
      first: fc.constantFrom(...testDatasources),
      more: fc.array(source(built.Json), { maxLength: depth > 0 ? 3 : 1 }),
      filter: fc.option(built.Boolean, { nil: undefined, freq: 1 }),
      distinct: fc.boolean(),
      returned: fc.tuple(...types.map((type) => built[type])),
    })
    .map(({ first, more, filter, distinct, returned }) => {
      const sources: CheckedSource[] = [{ kind: 'table', datasource: first }];
      for (const build of more) {
        const added = build({ sources });
        if (added) sources.push(added);
      }
      return {
        sources,
        filter: filter?.({ sources }),
        distinct,
        returned: returned.map((build, at) => ({ name: `C"${at}`, value: build({ sources }) })),
      };
    });
}

/** The simplest block that returns these columns. */
function columnsOf(types: readonly ColumnType[], datasource: Datasource): CheckedBlock {
  const sources: CheckedSource[] = [{ kind: 'table', datasource }];
  const returned = types.map((type, at) => ({
    name: `C"${at}`,
    value: converted(reference(type, at, { sources }), type),
  }));
  return { sources, filter: undefined, distinct: false, returned };
}

export const query: fc.Arbitrary<CheckedQuery> = fc
  .array(fc.constantFrom(...columnTypes), { minLength: 1, maxLength: 3 })
  .chain((types) =>
    fc
      .record({
        combine: fc.constantFrom('union' as const, 'union all' as const),
        blocks: fc.oneof(
          { weight: 3, arbitrary: fc.array(blockOf(types, 1), { minLength: 1, maxLength: 1 }) },
          { weight: 1, arbitrary: fc.array(blockOf(types, 0), { minLength: 2, maxLength: 2 }) },
        ),
      })
      .map(({ combine, blocks }) => ({
        combine,
        blocks,
        columns: types.map((type, at) => ({ name: `C"${at}`, type })),
      })),
  );
