import { describe, expect, test } from 'vitest';
import { lex } from './lexer.ts';
import { parseTokens } from './parser.ts';

/** An input that counts character accesses. */
function counted(text: string): { text: string; accesses: () => number } {
  let accesses = 0;
  const handler: ProxyHandler<string[]> = {
    get(_, name) {
      accesses++;
      const member: unknown = Reflect.get(Object(text), name);
      if (typeof member !== 'function')
        return typeof name === 'string' && /^\d+$/.test(name) ? text[Number(name)] : member;
      return (...values: unknown[]) => {
        const result: unknown = Reflect.apply(member, text, values);
        if (typeof result === 'string') accesses += result.length;
        if (name === 'indexOf')
          accesses += (result === -1 ? text.length : Number(result)) - Number(values[1]);
        return result;
      };
    },
  };
  return { text: new Proxy<string[]>([], handler) as unknown as string, accesses: () => accesses };
}

/** Parsing cost: accessed characters and tokens. */
function costOf(text: string): number {
  const characters = counted(text);
  const { tokens, problems } = lex(characters.text);
  let accesses = 0;
  const countingTokens = new Proxy(tokens, {
    get(target, name) {
      accesses++;
      return Reflect.get(target, name);
    },
  });
  parseTokens(text, { tokens: countingTokens, problems });
  return accesses + characters.accesses();
}

const inFilter = (text: string) => `{ source { A } filter { ${text} } return { X } }`;

describe('the parsing cost', () => {
  test.each([
    ...[
      'a = 1 and ',
      'a + ',
      'f(a), ',
      "'x' ",
      "'\\x''",
      '"\\q" ',
      "s'' ",
      "'",
      '"',
      '/* */ ',
      '/*',
      '-- x\n',
      '- ',
    ],
    ...[
      '(',
      ')',
      '{',
      '}',
      '[',
      ']',
      '[0]',
      '(a, ',
      'f(',
      '() ',
      '{}',
      'case when ',
      'not ',
      'a in (',
      'a in { ',
    ],
    ...[
      'source { ',
      'filter ',
      'return { ',
      'return distinct ',
      'source ',
      'A with ',
      'on ',
      'A with (',
      ', ',
    ],
    ...[
      '${',
      '<<',
      '<<x>> ',
      '? ',
      '! ',
      '= ',
      '. ',
      ': ',
      ':: ',
      'a:b.',
      'x y ',
      '1e ',
      '1.',
      'limit ',
      'select, ',
    ],
    ...['union { ', 'value_exists(array_to_rows(a), b, c) or ', 'type ', '“', '\u2028'],
  ])('of repeated "%s" grows linearly', (part) => {
    for (const build of [
      inFilter,
      (text: string) => text,
      (text: string) => `{ source { A } return { ${text}`,
    ]) {
      const count = Math.ceil(2000 / part.length);
      const [half, full] = [count, count * 2].map((times) => costOf(build(part.repeat(times)))) as [
        number,
        number,
      ];
      expect(full).toBeLessThan(half * 2.2);
    }
  });

  test('is higher for a longer input, so that the tests above are not vacuous', () => {
    expect(costOf(inFilter('a and '.repeat(400)))).toBeGreaterThan(
      costOf(inFilter('a and '.repeat(200))) * 1.8,
    );
  });
});
