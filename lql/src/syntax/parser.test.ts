import { describe, expect, test } from 'vitest';
import { maxQueryLength, parse } from './parser.ts';
import type { Block, Expression, Name } from './tree.ts';

function blockOf(text: string): Block {
  const { document, problems } = parse(text);
  expect(problems).toEqual([]);
  return document?.body.kind === 'block' ? document.body : expect.fail('no block');
}

const sourcesOf = (text: string) => blockOf(`{ source { ${text} } return { X } }`).sources;
const filterOf = (text: string) =>
  blockOf(`{ source { A } filter { ${text} } return { X } }`).filter ?? expect.fail();

/** Fully parenthesised expression. */
function shape(expression: Expression): string {
  const all = (values: readonly Expression[]) => values.map(shape);
  switch (expression.kind) {
    case 'logical':
      return `(${all(expression.values).join(` ${expression.operator} `)})`;
    case 'not':
      return `(not ${shape(expression.of)})`;
    case 'comparison':
    case 'arithmetic':
      return `(${shape(expression.left)} ${expression.operator} ${shape(expression.right)})`;
    case 'negative':
      return `(-${shape(expression.of)})`;
    case 'between':
      return `(${all([expression.value, expression.low, expression.high]).join(' ~ ')})`;
    case 'cast':
      return `(${shape(expression.of)}::${expression.to.text})`;
    case 'path':
      return `(${shape(expression.of)}:${expression.keys.map((key) => key.text).join('.')})`;
    case 'column':
      return [expression.source, expression.column]
        .flatMap((name: Name | undefined) => name?.text ?? [])
        .join('.');
    case 'number':
      return expression.digits;
    default:
      return expression.kind;
  }
}

describe('an expression', () => {
  test.each([
    ['a or b and not c = 1', '(a or (b and (not (c = 1))))'],
    ['not not a and b', '((not (not a)) and b)'],
    ['a or b or c', '(a or b or c)'],
    ['(a or b) or c', '((a or b) or c)'],
    ['a - b - c * d / e = f', '(((a - b) - ((c * d) / e)) = f)'],
    ['a || b + c = d', '(((a || b) + c) = d)'],
    ['- a:b.c::Number % 2 < - 1', '(((-((a:b.c)::Number)) % 2) < (-1))'],
    ['a.b:"c d":e::String::Json = 1', '(((((a.b:c d):e)::String)::Json) = 1)'],
    ['a between 1 + 1 and 2 and b', '((a ~ (1 + 1) ~ 2) and b)'],
    ['a != 1 or b <> 2', '((a <> 1) or (b <> 2))'],
  ])('%s parses as %s', (text, expected) => {
    const { document } = parse(`{ source { A } filter { ${text} } return { X } }`);
    const filter = document?.body.kind === 'block' ? document.body.filter : undefined;
    expect(filter && shape(filter)).toBe(expected);
  });

  test('tests membership in a list and a subquery, also of tuples', () => {
    expect(filterOf("a not in ('x', 1, -2.5, true, null)")).toMatchObject({
      kind: 'inList',
      negated: true,
      values: [
        { kind: 'string', value: 'x', form: 'legacy' },
        { kind: 'number', digits: '1' },
        { kind: 'number', digits: '-2.5' },
        { kind: 'boolean', value: true },
        { kind: 'null' },
      ],
    });
    expect(filterOf('(a, b.c) in { source { D } return { e, f } }')).toMatchObject({
      kind: 'inBlock',
      negated: false,
      value: { kind: 'row', values: [{ kind: 'column' }, { kind: 'column' }] },
      block: { sources: [{ datasource: { text: 'D' } }], items: [{}, {}] },
    });
  });

  test('tests patterns, null and JSON null', () => {
    expect(filterOf("a not ilike any ('x', b || 'y')")).toMatchObject({
      ...{ kind: 'pattern', operator: 'ilike', negated: true, any: true },
      patterns: [{ kind: 'string' }, { kind: 'arithmetic' }],
    });
    expect(filterOf('a like any')).toMatchObject({ any: false, patterns: [{ column: { text: 'any' } }] });
    expect(filterOf('a is not json null')).toMatchObject({ kind: 'nullTest', negated: true, json: true });
    expect(filterOf('a is null')).toMatchObject({ kind: 'nullTest', negated: false, json: false });
  });

  test('can be a case in both forms', () => {
    expect(filterOf('case a when 1 then b when 2 then c else d end')).toMatchObject({
      ...{ kind: 'case', subject: { column: { text: 'a' } }, otherwise: { column: { text: 'd' } } },
      branches: [{ when: { digits: '1' } }, { when: { digits: '2' } }],
    });
    expect(filterOf('case when a then b end')).toMatchObject({ subject: undefined, otherwise: undefined });
  });

  test('spans its whole source', () => {
    const text = '{ source { A } filter { (a + b) * f(c) = d:"e"::String } return { X } }';
    const filter = blockOf(text).filter;
    if (filter?.kind !== 'comparison' || filter.left.kind !== 'arithmetic') return expect.fail();
    const sourceOf = ({ start, end }: Expression) => text.slice(start, end);
    expect([filter, filter.left, filter.left.left, filter.left.right, filter.right].map(sourceOf)).toEqual([
      '(a + b) * f(c) = d:"e"::String',
      '(a + b) * f(c)',
      '(a + b)',
      'f(c)',
      'd:"e"::String',
    ]);
  });
});

describe('a source', () => {
  test('joins each datasource to the one before its with', () => {
    expect(sourcesOf('A a with B as b with C on \'x\' on "y"')).toMatchObject([
      {
        alias: { text: 'a' },
        branches: [
          {
            to: {
              alias: { text: 'b' },
              branches: [{ to: { datasource: { text: 'C' } }, on: { value: 'x' } }],
            },
            on: { value: 'y' },
          },
        ],
      },
    ]);
    expect(sourcesOf("A with (B on s'x', C c with D)")).toMatchObject([
      {
        branches: [
          { to: { datasource: { text: 'B' } }, on: { value: 'x', form: 'plain' } },
          { to: { alias: { text: 'c' }, branches: [{ to: { datasource: { text: 'D' } } }] }, on: undefined },
        ],
      },
    ]);
  });

  test.each([
    ['as (x)', undefined],
    ['as x', undefined],
    ['(x)', undefined],
    ['x', undefined],
    ['as t(x)', 't'],
    ['t(x)', 't'],
  ])('names the rows of an expansion with "%s"', (alias, table) => {
    const [, expansion] = sourcesOf(`A, Array_To_Rows_Non_Empty(A.l) ${alias}`);
    const expected = { kind: 'expansion', nonEmpty: true, column: { text: 'x' } };
    expect(expansion).toMatchObject({ ...expected, table: table && { text: table } });
  });
});

describe('a query', () => {
  test('may have an id, a union, columns with and without alias, and all columns', () => {
    const block = '{ source { A } return distinct { A.*, b, c d, e as f } }';
    const { document } = parse(`Id union all { ${block}, ${block} }`);
    expect(document).toMatchObject({ id: { text: 'Id' }, body: { kind: 'union', all: true } });
    const blocks = document?.body.kind === 'union' ? document.body.blocks : [];
    expect(blocks).toHaveLength(2);
    expect(blocks[0]).toMatchObject({
      distinct: true,
      items: [
        { kind: 'all', of: { text: 'A' } },
        { kind: 'value', alias: undefined },
        { alias: { text: 'd' } },
        { alias: { text: 'f' } },
      ],
    });
  });

  test('has at most 72,000 characters', () => {
    const query = '{ source { A } return { B } }';
    const filled = (character: string, length: number) =>
      `${query}/*${character.repeat(length - query.length - 4)}*/`;
    expect(parse(filled(' ', maxQueryLength)).problems).toEqual([]);
    expect(parse(filled('😀', maxQueryLength)).problems).toEqual([]);
    expect(parse(filled(' ', maxQueryLength + 1))).toMatchObject({
      document: undefined,
      problems: [{ message: 'A query has at most 72000 characters.', start: maxQueryLength }],
    });
  });
});
