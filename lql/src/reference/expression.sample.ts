import fc from 'fast-check';
import type { ColumnType, Type } from '../catalogue/catalogue.ts';
import { type FunctionDeclaration, type FunctionName, functions } from '../catalogue/functions.ts';
import type { CheckedBlock, CheckedExpression, CheckedSource } from '../check/checked.ts';
import { eighth, integer, keys, string, timestamp } from './tables.sample.ts';

/** Names that an expression may use. ReferenceValue before generation, so that queries shrink as a unit. */
export interface VisibleSources {
  readonly sources: readonly CheckedSource[];
}
export type Builder<Built = CheckedExpression> = (visible: VisibleSources) => Built;

type Kind = Exclude<Type, 'Null'>;
const kinds: readonly Kind[] = ['String', 'Number', 'Timestamp', 'Json', 'Boolean'];
export const columnTypes: readonly ColumnType[] = ['String', 'Number', 'Timestamp', 'Json'];

const constant = (type: Type, value: string | boolean | null): CheckedExpression => ({
  kind: 'constant',
  type,
  value,
});
export const converted = (of: CheckedExpression, type: Kind): CheckedExpression =>
  of.type === type ? of : { kind: 'conversion', type, of };

const constants: Record<Exclude<Kind, 'Json'>, fc.Arbitrary<CheckedExpression>> = {
  String: string.map((value) => constant('String', value)),
  Number: fc.oneof(integer.map(String), eighth.map(String)).map((digits) => constant('Number', digits)),
  Timestamp: fc.oneof(
    timestamp.map((value) => converted(constant('String', new Date(value).toISOString()), 'Timestamp')),
    string.map((value) => converted(constant('String', value), 'Timestamp')),
  ),
  Boolean: fc.boolean().map((value) => constant('Boolean', value)),
};

/** A visible column or item; `fallback` if none has the type. */
export function reference(type: ColumnType, choice: number, { sources }: VisibleSources): CheckedExpression {
  const all = sources.flatMap((source, at): CheckedExpression[] => {
    if (source.kind === 'expanded') return type === 'Json' ? [{ kind: 'item', type, source: at }] : [];
    const columns = source.datasource.columns.filter((column) => column.type === type);
    return columns.map(({ name }): CheckedExpression => ({ kind: 'column', type, source: at, column: name }));
  });
  return all[choice % all.length] ?? constant('Null', null);
}

const untypedNull = fc.constant<Builder>(() => constant('Null', null));
const conversions: Record<Kind, readonly Kind[]> = {
  String: ['Json', 'Number', 'Timestamp'],
  Number: ['Json', 'String'],
  Timestamp: ['Json', 'String', 'Number'],
  Json: ['String', 'Number', 'Timestamp', 'Boolean'],
  Boolean: ['Json', 'String', 'Number'],
};

const names = Object.keys(functions) as FunctionName[];
const declarations: Record<FunctionName, FunctionDeclaration> = functions;
const comparison = fc.constantFrom(
  '=' as const,
  '<>' as const,
  '<' as const,
  '<=' as const,
  '>' as const,
  '>=' as const,
);

type Tie = (kind: Kind) => fc.Arbitrary<Builder>;

/** A call of a function with this result type. */
function call(kind: Kind, tie: Tie): fc.Arbitrary<Builder>[] {
  return names
    .filter((name) => declarations[name].result === kind || declarations[name].result === 'Any')
    .map((name) => {
      const { parameters, repeats, result } = declarations[name];
      const any = result === 'Any' ? fc.constant(kind) : fc.constantFrom(...kinds);
      return any.chain((own) => {
        const args = parameters.map(({ type, optional }) => {
          const value = orNull(tie(type === 'Any' ? own : type));
          return optional ? fc.option(value, { nil: undefined }) : value;
        });
        const last = parameters.at(-1)?.type ?? 'Any';
        const more = repeats
          ? fc.array(orNull(tie(last === 'Any' ? own : last)), { maxLength: 2 })
          : fc.constant([]);
        return fc.tuple(fc.tuple(...args), more).map(
          ([first, rest]): Builder =>
            (visible) => {
              const values = [...first, ...rest].flatMap((build) => (build ? [build(visible)] : []));
              return { kind: 'call', type: kind, name, values };
            },
        );
      });
    });
}

/** Sometimes an untyped null. */
const orNull = (built: fc.Arbitrary<Builder>) =>
  fc.oneof({ weight: 19, arbitrary: built }, { weight: 1, arbitrary: untypedNull });
const typedNull = (kind: Kind) => fc.constant<Builder>(() => converted(constant('Null', null), kind));

const branchOf = (when: CheckedExpression, then: CheckedExpression) => ({ when, then });

function chosen(kind: Kind, tie: Tie): fc.Arbitrary<Builder> {
  const branch = fc.tuple(tie('Boolean'), orNull(tie(kind)));
  return fc
    .record({
      branches: fc.array(branch, { minLength: 1, maxLength: 2 }),
      otherwise: fc.option(tie(kind), { nil: undefined }),
    })
    .map(
      ({ branches, otherwise }): Builder =>
        (visible) => ({
          kind: 'case',
          type: kind,
          branches: branches.map(([when, then]) => branchOf(when(visible), then(visible))),
          otherwise: otherwise?.(visible),
        }),
    );
}

const anyOf = (kind: Kind, tie: Tie, more: fc.Arbitrary<Builder>[]) =>
  fc.oneof(
    { depthSize: 'small', maxDepth: 4, withCrossShrink: true },
    {
      weight: 6,
      arbitrary:
        kind === 'Boolean'
          ? constants.Boolean.map(
              (value): Builder =>
                () =>
                  value,
            )
          : fc.nat(20).map(
              (choice): Builder =>
                (visible) =>
                  converted(reference(kind, choice, visible), kind),
            ),
    },
    ...(kind === 'Json'
      ? []
      : [
          {
            weight: 4,
            arbitrary: constants[kind].map(
              (value): Builder =>
                () =>
                  value,
            ),
          },
        ]),
    { weight: 1, arbitrary: typedNull(kind) },
    ...conversions[kind].map((from) => ({
      weight: from === 'Json' ? 5 : 1,
      arbitrary: tie(from).map(
        (build): Builder =>
          (visible) =>
            converted(build(visible), kind),
      ),
    })),
    { weight: 2, arbitrary: chosen(kind, tie) },
    { weight: 6, arbitrary: fc.oneof(...call(kind, tie)) },
    ...more.map((arbitrary) => ({ weight: 5, arbitrary })),
  );

/** Distinguishes false from unknown, which a filter does not. */
function truthValue(test: CheckedExpression): CheckedExpression {
  const branches = [
    branchOf(test, constant('String', 'true')),
    branchOf({ kind: 'not', type: 'Boolean', of: test }, constant('String', 'false')),
  ];
  return { kind: 'case', type: 'String', branches, otherwise: constant('String', 'unknown') };
}

function pair(
  left: fc.Arbitrary<Builder>,
  right: fc.Arbitrary<Builder>,
  body: (left: CheckedExpression, right: CheckedExpression) => CheckedExpression,
) {
  return fc.tuple(left, right).map(
    ([a, b]): Builder =>
      (visible) =>
        body(a(visible), b(visible)),
  );
}

function tests(
  tie: Tie,
  block: (types: readonly ColumnType[]) => fc.Arbitrary<CheckedBlock>,
): fc.Arbitrary<Builder>[] {
  const each = <Built>(body: (kind: Kind) => fc.Arbitrary<Built>) => fc.oneof(...kinds.map(body));
  return [
    each((kind) =>
      comparison.chain((operator) =>
        pair(orNull(tie(kind)), tie(kind), (left, right) => ({
          kind: 'comparison',
          type: 'Boolean',
          operator,
          left,
          right,
        })),
      ),
    ),
    each((kind) => {
      if (kind === 'Json') return tie('Boolean');
      const values = fc.array(constants[kind], { minLength: 1, maxLength: 3 });
      return fc.tuple(tie(kind), values).map(
        ([build, all]): Builder =>
          (visible) => {
            return { kind: 'inList', type: 'Boolean', value: build(visible), values: all };
          },
      );
    }),
    fc.tuple(fc.array(fc.constantFrom(...columnTypes), { minLength: 1, maxLength: 2 })).chain(([types]) =>
      fc.tuple(fc.tuple(...types.map(tie)), block(types)).map(
        ([builders, inner]): Builder =>
          (visible) => {
            return {
              kind: 'inSubquery',
              type: 'Boolean',
              values: builders.map((build) => build(visible)),
              block: inner,
            };
          },
      ),
    ),
    fc
      .record({
        operator: fc.constantFrom('like' as const, 'ilike' as const, 'rlike' as const),
        value: tie('String'),
        patterns: fc.array(tie('String'), { minLength: 1, maxLength: 2 }),
      })
      .map(
        ({ operator, value, patterns }): Builder =>
          (visible) => ({
            kind: 'pattern',
            type: 'Boolean',
            operator,
            value: value(visible),
            patterns: patterns.map((build) => build(visible)),
          }),
      ),
    each((kind) =>
      tie(kind).map(
        (build): Builder =>
          (visible) => ({ kind: 'nullTest', type: 'Boolean', json: false, value: build(visible) }),
      ),
    ),
    tie('Json').map(
      (build): Builder =>
        (visible) => ({ kind: 'nullTest', type: 'Boolean', json: true, value: build(visible) }),
    ),
    tie('Boolean').map(
      (build): Builder =>
        (visible) => ({ kind: 'not', type: 'Boolean', of: build(visible) }),
    ),
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        fc.array(tie('Boolean'), { minLength: 2, maxLength: 3 }),
      )
      .map(
        ([operator, builders]): Builder =>
          (visible) => ({
            kind: 'logical',
            type: 'Boolean',
            operator,
            values: builders.map((build) => build(visible)),
          }),
      ),
  ];
}

export function expressions(block: (types: readonly ColumnType[]) => fc.Arbitrary<CheckedBlock>) {
  return fc.letrec<Record<Kind, Builder>>((tied) => {
    const tie: Tie = (kind) => tied(kind) as fc.Arbitrary<Builder>;
    const sign = fc.constantFrom('+' as const, '-' as const, '*' as const, '/' as const, '%' as const);
    return {
      String: anyOf('String', tie, [
        pair(tie('String'), tie('String'), (left, right) => ({
          kind: 'concatenation',
          type: 'String',
          left,
          right,
        })),
        tie('Boolean').map(
          (build): Builder =>
            (visible) =>
              truthValue(build(visible)),
        ),
      ]),
      Number: anyOf('Number', tie, [
        sign.chain((operator) =>
          pair(tie('Number'), tie('Number'), (left, right) => ({
            kind: 'arithmetic',
            type: 'Number',
            operator,
            left,
            right,
          })),
        ),
        tie('Number').map(
          (build): Builder =>
            (visible) => ({ kind: 'negative', type: 'Number', of: build(visible) }),
        ),
      ]),
      Timestamp: anyOf('Timestamp', tie, []),
      Json: anyOf('Json', tie, [
        fc.tuple(tie('Json'), fc.array(fc.constantFrom(...keys), { minLength: 1, maxLength: 2 })).map(
          ([build, path]): Builder =>
            (visible) => ({ kind: 'path', type: 'Json', of: build(visible), keys: path }),
        ),
      ]),
      Boolean: anyOf('Boolean', tie, tests(tie, block)),
    };
  });
}
