import fc from 'fast-check';
import type { ColumnType, Type } from '../catalogue/catalogue.ts';
import { type FunctionDeclaration, type FunctionName, functions } from '../catalogue/functions.ts';
import type { Checked, CheckedBlock, CheckedSource } from '../check/checked.ts';
import { eighth, keys, text, timestamp, whole } from './world.sample.ts';

/** Names that an expression may use. Known before generation, so that queries shrink as a unit. */
export interface Visible {
  readonly sources: readonly CheckedSource[];
}
export type Make<Made = Checked> = (visible: Visible) => Made;

type Kind = Exclude<Type, 'Null'>;
const kinds: readonly Kind[] = ['String', 'Number', 'Timestamp', 'Json', 'Boolean'];
export const columnTypes: readonly ColumnType[] = ['String', 'Number', 'Timestamp', 'Json'];

const constant = (type: Type, value: string | boolean | null): Checked => ({ kind: 'constant', type, value });
export const converted = (of: Checked, type: Kind): Checked =>
  of.type === type ? of : { kind: 'converted', type, of };

const constants: Record<Exclude<Kind, 'Json'>, fc.Arbitrary<Checked>> = {
  String: text.map((value) => constant('String', value)),
  Number: fc.oneof(whole.map(String), eighth.map(String)).map((digits) => constant('Number', digits)),
  Timestamp: fc.oneof(
    timestamp.map((value) => converted(constant('String', new Date(value).toISOString()), 'Timestamp')),
    text.map((value) => converted(constant('String', value), 'Timestamp')),
  ),
  Boolean: fc.boolean().map((value) => constant('Boolean', value)),
};

/** A visible column or item; `fallback` if none has the type. */
export function reference(type: ColumnType, choice: number, { sources }: Visible): Checked {
  const all = sources.flatMap((source, at): Checked[] => {
    if (source.kind === 'expanded') return type === 'Json' ? [{ kind: 'item', type, source: at }] : [];
    const columns = source.datasource.columns.filter((column) => column.type === type);
    return columns.map(({ name }): Checked => ({ kind: 'column', type, source: at, column: name }));
  });
  return all[choice % all.length] ?? constant('Null', null);
}

const nothing = fc.constant<Make>(() => constant('Null', null));
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

type Tie = (kind: Kind) => fc.Arbitrary<Make>;

/** A call of a function with this result type. */
function call(kind: Kind, tie: Tie): fc.Arbitrary<Make>[] {
  return names
    .filter((name) => declarations[name].result === kind || declarations[name].result === 'Any')
    .map((name) => {
      const { parameters, repeats, result } = declarations[name];
      const any = result === 'Any' ? fc.constant(kind) : fc.constantFrom(...kinds);
      return any.chain((own) => {
        const given = parameters.map(({ type, optional }) => {
          const value = orNull(tie(type === 'Any' ? own : type));
          return optional ? fc.option(value, { nil: undefined }) : value;
        });
        const last = parameters.at(-1)?.type ?? 'Any';
        const more = repeats
          ? fc.array(orNull(tie(last === 'Any' ? own : last)), { maxLength: 2 })
          : fc.constant([]);
        return fc.tuple(fc.tuple(...given), more).map(
          ([first, rest]): Make =>
            (visible) => {
              const values = [...first, ...rest].flatMap((make) => (make ? [make(visible)] : []));
              return { kind: 'called', type: kind, name, values };
            },
        );
      });
    });
}

/** Sometimes an untyped null. */
const orNull = (made: fc.Arbitrary<Make>) =>
  fc.oneof({ weight: 19, arbitrary: made }, { weight: 1, arbitrary: nothing });
const typedNull = (kind: Kind) => fc.constant<Make>(() => converted(constant('Null', null), kind));

const branchOf = (when: Checked, then: Checked) => ({ when, then });

function chosen(kind: Kind, tie: Tie): fc.Arbitrary<Make> {
  const branch = fc.tuple(tie('Boolean'), orNull(tie(kind)));
  return fc
    .record({
      branches: fc.array(branch, { minLength: 1, maxLength: 2 }),
      otherwise: fc.option(tie(kind), { nil: undefined }),
    })
    .map(
      ({ branches, otherwise }): Make =>
        (visible) => ({
          kind: 'chosen',
          type: kind,
          branches: branches.map(([when, then]) => branchOf(when(visible), then(visible))),
          otherwise: otherwise?.(visible),
        }),
    );
}

const anyOf = (kind: Kind, tie: Tie, more: fc.Arbitrary<Make>[]) =>
  fc.oneof(
    { depthSize: 'small', maxDepth: 4, withCrossShrink: true },
    {
      weight: 6,
      arbitrary:
        kind === 'Boolean'
          ? constants.Boolean.map(
              (value): Make =>
                () =>
                  value,
            )
          : fc.nat(20).map(
              (choice): Make =>
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
              (value): Make =>
                () =>
                  value,
            ),
          },
        ]),
    { weight: 1, arbitrary: typedNull(kind) },
    ...conversions[kind].map((from) => ({
      weight: from === 'Json' ? 5 : 1,
      arbitrary: tie(from).map(
        (make): Make =>
          (visible) =>
            converted(make(visible), kind),
      ),
    })),
    { weight: 2, arbitrary: chosen(kind, tie) },
    { weight: 6, arbitrary: fc.oneof(...call(kind, tie)) },
    ...more.map((arbitrary) => ({ weight: 5, arbitrary })),
  );

/** Distinguishes false from unknown, which a filter does not. */
function verdict(test: Checked): Checked {
  const branches = [
    branchOf(test, constant('String', 'true')),
    branchOf({ kind: 'inverted', type: 'Boolean', of: test }, constant('String', 'false')),
  ];
  return { kind: 'chosen', type: 'String', branches, otherwise: constant('String', 'unknown') };
}

function pair(
  left: fc.Arbitrary<Make>,
  right: fc.Arbitrary<Make>,
  body: (left: Checked, right: Checked) => Checked,
) {
  return fc.tuple(left, right).map(
    ([a, b]): Make =>
      (visible) =>
        body(a(visible), b(visible)),
  );
}

function tests(
  tie: Tie,
  block: (types: readonly ColumnType[]) => fc.Arbitrary<CheckedBlock>,
): fc.Arbitrary<Make>[] {
  const each = <Made>(body: (kind: Kind) => fc.Arbitrary<Made>) => fc.oneof(...kinds.map(body));
  return [
    each((kind) =>
      comparison.chain((operator) =>
        pair(orNull(tie(kind)), tie(kind), (left, right) => ({
          kind: 'compared',
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
        ([make, all]): Make =>
          (visible) => {
            return { kind: 'among', type: 'Boolean', value: make(visible), values: all };
          },
      );
    }),
    fc.tuple(fc.array(fc.constantFrom(...columnTypes), { minLength: 1, maxLength: 2 })).chain(([types]) =>
      fc.tuple(fc.tuple(...types.map(tie)), block(types)).map(
        ([makes, inner]): Make =>
          (visible) => {
            return {
              kind: 'within',
              type: 'Boolean',
              values: makes.map((make) => make(visible)),
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
        ({ operator, value, patterns }): Make =>
          (visible) => ({
            kind: 'matched',
            type: 'Boolean',
            operator,
            value: value(visible),
            patterns: patterns.map((make) => make(visible)),
          }),
      ),
    each((kind) =>
      tie(kind).map(
        (make): Make =>
          (visible) => ({ kind: 'nullTested', type: 'Boolean', json: false, value: make(visible) }),
      ),
    ),
    tie('Json').map(
      (make): Make =>
        (visible) => ({ kind: 'nullTested', type: 'Boolean', json: true, value: make(visible) }),
    ),
    tie('Boolean').map(
      (make): Make =>
        (visible) => ({ kind: 'inverted', type: 'Boolean', of: make(visible) }),
    ),
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        fc.array(tie('Boolean'), { minLength: 2, maxLength: 3 }),
      )
      .map(
        ([operator, makes]): Make =>
          (visible) => ({
            kind: 'combined',
            type: 'Boolean',
            operator,
            values: makes.map((make) => make(visible)),
          }),
      ),
  ];
}

export function expressions(block: (types: readonly ColumnType[]) => fc.Arbitrary<CheckedBlock>) {
  return fc.letrec<Record<Kind, Make>>((tied) => {
    const tie: Tie = (kind) => tied(kind) as fc.Arbitrary<Make>;
    const sign = fc.constantFrom('+' as const, '-' as const, '*' as const, '/' as const, '%' as const);
    return {
      String: anyOf('String', tie, [
        pair(tie('String'), tie('String'), (left, right) => ({
          kind: 'concatenated',
          type: 'String',
          left,
          right,
        })),
        tie('Boolean').map(
          (make): Make =>
            (visible) =>
              verdict(make(visible)),
        ),
      ]),
      Number: anyOf('Number', tie, [
        sign.chain((operator) =>
          pair(tie('Number'), tie('Number'), (left, right) => ({
            kind: 'computed',
            type: 'Number',
            operator,
            left,
            right,
          })),
        ),
        tie('Number').map(
          (make): Make =>
            (visible) => ({ kind: 'negated', type: 'Number', of: make(visible) }),
        ),
      ]),
      Timestamp: anyOf('Timestamp', tie, []),
      Json: anyOf('Json', tie, [
        fc.tuple(tie('Json'), fc.array(fc.constantFrom(...keys), { minLength: 1, maxLength: 2 })).map(
          ([make, path]): Make =>
            (visible) => ({ kind: 'path', type: 'Json', of: make(visible), keys: path }),
        ),
      ]),
      Boolean: anyOf('Boolean', tie, tests(tie, block)),
    };
  });
}
