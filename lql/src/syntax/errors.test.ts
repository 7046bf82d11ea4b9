import { describe, expect, test } from 'vitest';
import { report } from '../text/report.ts';
import { parse } from './parser.ts';
import { withFixes } from './tree.sample.ts';

const inFilter = (text: string) => `{ source { A a } filter { ${text} } return { X } }`;

/** Problems without the line number, which is always 1. */
const problemLines = (text: string) =>
  report(text, parse(text).problems)
    .replaceAll(/ine 1, column /g, 'ine 1:')
    .split('\n')
    .map((line) => line.replace(/^Line 1:/, ''));

const inReturn = (text: string) => `{ source { A a } return { ${text} } }`;
const inSource = (text: string) => `{ source { ${text} } return { X } }`;

describe('an error', () => {
  test.each([
    ['', '1, at the end: There is no query'],
    ['hello world', '1, at hello: A query is written `{ source'],
    ['{ "queryText": "x" }', '3, at "queryText": A query begins with `source'],
    ['{ source { A } return { B } } limit 10', '31, at limit: The row limit'],
    ['{ source { A } return { B } order by B, C }', '29, at order: LQL has no ordering'],
    ['{ select a, b from c where d = 1 }', '3, at select: This is not SQL'],
    ['{ source { A } where { x = 1 } return { B } }', '16, at where: This is not SQL'],
    ['{ source { A } return { B } }, { source { A } return { B } }', '30, at ,: Several queries'],
    ['{ return { B } source { A } }', '16, at source: The order is'],
    ['{ source { A } filter { x } filter { y } return { B } }', '29, at filter: There is only one `filter`'],
    [inSource(''), '13, at }: Expected a datasource'],
    [inSource('A with (B, C) with D'), '26, at with: On the left of `with`'],
    [inSource("A with (B, C) on 'x'"), '26, at on: `on` belongs after'],
    [inSource('A, array_to_rows(x)'), '32, at }: Expected a name for the rows'],
    [inSource('A, object_to_rows(x) as y'), '15, at object_to_rows: Only `array_to_rows`'],
    [inSource('A a array_to_rows(x) as y'), '16, at array_to_rows: Expected `,` or `}`'],
    [inFilter(''), '28, at }: Expected a value, but found `}`.'],
    [inFilter('a = and b = 1'), '31, at and: Expected a value, but found `and`.'],
    [inFilter('a = 1 b = 2'), '33, at b: Expected `and`, `or` or `}`'],
    [inFilter('a = b = c'), '33, at =: Two comparisons'],
    [inFilter('a = not b'), '31, at not: `not` and its operand need parentheses'],
    [inFilter('a in 1'), '32, at 1: Expected `(` and values, or `{` and a query'],
    [inFilter('a in (1, b)'), '36, at b: A list after `in` holds only'],
    [inFilter('(a, b) = 1'), '27, at (a, b): Several values'],
    [inFilter('1 + (a, b) in { source { A } return { X } }'), '31, at (a, b): Several values'],
    [inFilter('f((a, b)) = 1'), '29, at (a, b): Several values'],
    [inFilter('a is true'), '32, at true: Expected `null` or `json null`'],
    [inFilter('a not b'), '33, at b: Expected `in`, `like`'],
    [inFilter('a between 1 or 2'), '39, at or: Expected `and`, as in'],
    [inFilter('case when a then b'), '46, at }: Expected `when`, `else` or `end`'],
    [inFilter('count(*) > 1'), '33, at *: Write `name.*` instead'],
    [inFilter('f(a b)'), '31, at b: Expected `,` or `)`'],
    [inFilter('a = $' + '{x}'), '31, at $' + '{x}: This is a placeholder'],
    [inFilter('a = <<x y>>'), '31, at <<x y>>: This is a placeholder'],
    [inFilter('a = 1e5'), '31, at 1e5: `1e5` is neither a number nor a name'],
    [inFilter('a ? b'), '29, at ?: The character ? has no meaning here.'],
    [inFilter("a = 'x"), "31, at ': This string is not closed"],
    [inFilter('a = "x'), '31, at ": This string is not closed'],
    [inFilter('a /* x'), '29, at /*: This comment is not closed'],
    [inFilter('x[0].y = 1'), '28, at [0]: LQL has no array index'],
    [inFilter('array_to_rows(a) = 1'), '27, at array_to_rows(a): `array_to_rows` makes rows'],
    [inReturn('a.b as select'), '34, at select: `select` is a reserved word and can not be an alias.'],
    [inReturn('_a'), '27, at _a: A name begins with a letter'],
    [inReturn('x as'), '32, at }: Expected an alias'],
  ])('in %s is reported once', (text, expected) => {
    const [first, ...more] = problemLines(text);
    expect(first?.slice(0, expected.length)).toBe(expected);
    expect(more).toEqual([]);
    expect(parse(text).problems[0]?.fix).toBeUndefined();
  });

  test.each([
    ['source { A } return { B }', '{ source { A } return { B } }'],
    ['source { A } return { B } -- x', '{ source { A } return { B } } -- x'],
    ['{ source { A } return { B }', '{ source { A } return { B } }'],
    ['{ source { A } return { B } } }', '{ source { A } return { B } } '],
    ['{ source { A } return { B } };', '{ source { A } return { B } }'],
    ['{ source { A } } return { B } }', '{ source { A }  return { B } }'],
    ['{ source { A filter { x } return { B } }', '{ source { A } filter { x } return { B } }'],
    ['{ source A filter x return B }', '{ source { A } filter { x } return { B } }'],
    ['union { source { A } return { B } } }', 'union { { source { A } return { B } } }'],
    [inSource('A,'), inSource('A')],
    [inSource("'A'"), inSource('A')],
    [inSource('A with B on (A.x = B.x)'), inSource('A with B')],
    [inFilter('(a = 1'), inFilter('(a = 1 )')],
    [inFilter('a = 1)'), inFilter('a = 1')],
    [inFilter('a == 1 && !b'), inFilter('a = 1 and  not b')],
    [inFilter('f(a, )'), inFilter('f(a )')],
    [inFilter("x:'a b' = 1"), inFilter('x:"a b" = 1')],
    [inFilter('x:1 = 1'), inFilter('x:"1" = 1')],
    [inFilter('x:_id.type = 1'), inFilter('x:"_id"."type" = 1')],
    [inFilter('EVENT.user.name = 1'), inFilter('EVENT:user.name = 1')],
    [inFilter('a = ‘x’'), inFilter("a = 'x'")],
    [inFilter('a != 1'), inFilter('a <> 1')],
    [inReturn("a as 'b'"), inReturn('a as b')],
    [inReturn('*'), inReturn('a.*')],
  ])('in %s has a fix', (text, fixed) => {
    const { problems } = parse(text);
    expect(problems.every(({ fix }) => fix)).toBe(true);
    expect(withFixes(text, problems)).toBe(fixed);
    expect(parse(fixed).problems).toEqual([]);
  });

  test('in several places is reported for each, sorted by position', () => {
    const text =
      '{ source { A with } filter { x = and y:type = 1 or z } return { a b c, d, f(, g), h i j } }';
    expect(problemLines(text)).toEqual([
      '19, at }: Expected a datasource, but found `}`.',
      '34, at and: Expected a value, but found `and`.',
      '69, at c: Expected `,` or `}`, but found `c`.',
      '77, at ,: Expected a value, but found `,`.',
      '87, at j: Expected `,` or `}`, but found `j`.',
    ]);
  });

  test('is reported at most twenty times, besides warnings', () => {
    const text = inFilter(`a != 1 ${'? '.repeat(30)}`);
    const { problems } = parse(text);
    expect(problems.filter(({ severity }) => severity === 'error')).toHaveLength(20);
    expect(problems[0]).toMatchObject({
      severity: 'warning',
      message: 'Write `<>`: `!=` is not portable.',
    });
  });

  test('is reported even after many warnings', () => {
    const { problems } = parse(inFilter(`${'a != 1 and '.repeat(50)} b = `));
    expect(problems.map(({ severity }) => severity)).toEqual([...Array(20).fill('warning'), 'error']);
  });

  test('in one clause does not prevent parsing of the next', () => {
    expect(problemLines('{ source { A b c filter { x = } return { B } }')).toEqual([
      '10, at {: This `{` is not closed: it needs a `}`.',
      '16, at c: Expected `,` or `}`, but found `c`.',
      '31, at }: Expected a value, but found `}`.',
    ]);
    expect(problemLines('{ source { A } filter { f(a, (b } return { C, } }')).toEqual([
      '30, at (: This `(` is not closed: it needs a `)`.',
      '45, at ,: There is no column behind this comma: remove it.',
    ]);
  });

  test('may still give a tree that can be checked', () => {
    expect(parse(inFilter('x:type = 1 && y == 2')).document).toBeDefined();
    expect(parse('{ source A filter x return B, };').document).toBeDefined();
    expect(parse(inFilter('x = ')).document).toBeUndefined();
  });
});

describe('nesting', () => {
  test.each([
    ['parentheses', (depth: number) => inFilter(`${'('.repeat(depth)}a${')'.repeat(depth)}`), 199],
    ['calls', (depth: number) => inFilter(`${'f('.repeat(depth)}a${')'.repeat(depth)}`), 49],
    ['negations', (depth: number) => inFilter(`${'not '.repeat(depth)}a`), 197],
    ['signs', (depth: number) => inFilter(`${'- '.repeat(depth)}a = 1`), 196],
    ['sums', (depth: number) => inFilter(`a${' + a'.repeat(depth)} = 1`), 196],
    ['casts', (depth: number) => inFilter(`a${'::String'.repeat(depth)} = 1`), 196],
    ['chains', (depth: number) => inSource(`A${' with A'.repeat(depth)}`), 98],
    [
      'subqueries',
      (depth: number) =>
        inFilter(`${'a in { source { A } filter { '.repeat(depth)}b${' } return { X } }'.repeat(depth)}`),
      98,
    ],
    [
      'cases',
      (depth: number) => inFilter(`${'case when a then '.repeat(depth)}b${' end'.repeat(depth)}`),
      98,
    ],
  ])('of %s has a limit', (_, build, limit) => {
    expect(parse(build(limit)).problems).toEqual([]);
    for (const depth of [limit + 1, 5000]) {
      const text = build(depth).slice(0, 70_000);
      const { document, problems } = parse(text);
      expect(document).toBeUndefined();
      expect(problems).toHaveLength(1);
      expect(problems[0]?.message).toContain('nested more than 200 levels deep');
    }
  });

  test('is not caused by long lists and conditions', () => {
    const names = Array.from({ length: 5000 }, (_, index) => `a${index}`);
    expect(parse(inFilter(names.join(' or '))).problems).toEqual([]);
    expect(parse(inReturn(names.join())).problems).toEqual([]);
  });
});
