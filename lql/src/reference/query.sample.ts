import fc from 'fast-check';
import type { ColumnType, Datasource } from '../catalogue/catalogue.ts';
import type { CheckedBlock, CheckedQuery, CheckedSource } from '../check/checked.ts';
import { columnTypes, converted, expressions, type Make, reference } from './expression.sample.ts';
import { worldDatasources } from './world.sample.ts';

/** One more source, if the existing ones allow it. */
function source(json: fc.Arbitrary<Make>): fc.Arbitrary<Make<CheckedSource | undefined>> {
  const table = fc.constantFrom(...worldDatasources).map(
    (datasource): Make<CheckedSource> =>
      () => ({ kind: 'table', datasource }),
  );
  const joined = fc.tuple(fc.nat(20), fc.nat(20)).map(
    ([at, link]): Make<CheckedSource | undefined> =>
      ({ sources }) => {
        const from = at % sources.length;
        const left = sources[from];
        if (!left || left.kind === 'expanded') return undefined;
        const { relationships } = left.datasource;
        const relationship = relationships[link % relationships.length];
        const datasource = worldDatasources.find(({ name }) => name === relationship?.to);
        return relationship && datasource && { kind: 'joined', datasource, from, relationship };
      },
  );
  const expanded = fc.tuple(json, fc.boolean()).map(
    ([make, nonEmpty]): Make<CheckedSource> =>
      (visible) => ({
        kind: 'expanded',
        array: make(visible),
        nonEmpty,
      }),
  );
  const lists = fc.tuple(fc.nat(20), fc.boolean()).map(
    ([choice, nonEmpty]): Make<CheckedSource> =>
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
      : fc.constantFrom(...worldDatasources).map((datasource) => columnsOf(of, datasource));
  const made = expressions(inner);
  return fc
    .record({
      first: fc.constantFrom(...worldDatasources),
      more: fc.array(source(made.Json), { maxLength: depth > 0 ? 3 : 1 }),
      filter: fc.option(made.Boolean, { nil: undefined, freq: 1 }),
      distinct: fc.boolean(),
      returned: fc.tuple(...types.map((type) => made[type])),
    })
    .map(({ first, more, filter, distinct, returned }) => {
      const sources: CheckedSource[] = [{ kind: 'table', datasource: first }];
      for (const make of more) {
        const added = make({ sources });
        if (added) sources.push(added);
      }
      return {
        sources,
        filter: filter?.({ sources }),
        distinct,
        returned: returned.map((make, at) => ({ name: `C"${at}`, value: make({ sources }) })),
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
