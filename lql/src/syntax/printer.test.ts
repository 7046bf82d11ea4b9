import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documents } from './document.sample.ts';
import { parse } from './parser.ts';
import { print } from './printer.ts';
import { withoutPositions } from './tree.sample.ts';
import type { Document } from './tree.ts';

const runs = Number(process.env.VEDETTE_FUZZ ?? 50_000) / 100;
const printed = (text: string) => print(parse(text).document ?? expect.fail());

describe('print', () => {
  test('round-trips every tree', {
    timeout: 120_000 + runs * 20,
  }, () => {
    fc.assert(
      fc.property(documents, (document) => {
        const text = print(document as Document);
        const { document: read, problems } = parse(text);
        expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(withoutPositions(read)).toEqual(withoutPositions(document));
      }),
      { numRuns: runs },
    );
  });

  test('keeps short clauses on one line and breaks long ones', () => {
    const text = `q { source { LW_HE_USERS as u } filter { u.MID=1 and( a or not b )} return{ u.*,x::String y } }`;
    expect(printed(text)).toBe(
      [
        'q {',
        '  source { LW_HE_USERS u }',
        '  filter { u.MID = 1 and (a or not b) }',
        '  return { u.*, x::String as y }',
        '}',
      ].join('\n'),
    );
    const long = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(30));
    expect(
      printed(`{ source { A } filter { ${long.join(' = 1 or ')} = 1 } return { ${long.join()} } }`),
    ).toBe(
      [
        '{',
        '  source { A }',
        '  filter {',
        ...long.map((name, index) => `    ${index ? 'or ' : ''}${name} = 1`),
        '  }',
        '  return {',
        `    ${long.join(',\n    ')}`,
        '  }',
        '}',
      ].join('\n'),
    );
  });

  test('adds parentheses where needed, and around "and" within "or"', () => {
    const filter = (text: string) =>
      /filter \{ (.*) \}/.exec(printed(`{ source { A } filter { ${text} } return { B } }`))?.[1];
    expect(filter('((a)) = ((1) + (2)) * 3')).toBe('a = (1 + 2) * 3');
    expect(filter('a - (b - c) - d = -(-1)')).toBe('a - (b - c) - d = -(-1)');
    expect(filter('a and b or c')).toBe('(a and b) or c');
    expect(filter('(a or b) and not (c and d)')).toBe('(a or b) and not (c and d)');
    expect(filter('(a || b)::String:x = (-c)::Number')).toBe('(a || b)::String:x = (-c)::Number');
  });

  test('keeps each relationship name with its join', () => {
    const source = (text: string) =>
      /source \{ (.*) \}/.exec(printed(`{ source { ${text} } return { B } }`))?.[1];
    expect(source("A with B with C on 'x' on 'y'")).toBe("A with B with C on 'x' on 'y'");
    expect(source("A with B with (C) on 'y'")).toBe("A with B with (C) on 'y'");
    expect(source("A with (B with C on 'x')")).toBe("A with B with C on 'x'");
  });
});
