import { describe, expect, test } from 'vitest';
import { lex } from './lexer.ts';
import { parseTokens } from './parser.ts';

/** An input that counts character accesses. */
function counted(text: string): { text: string; work: () => number } {
  let work = 0;
  const handler: ProxyHandler<string[]> = {
    get(_, name) {
      work++;
      const member: unknown = Reflect.get(Object(text), name);
      if (typeof member !== 'function')
        return typeof name === 'string' && /^\d+$/.test(name) ? text[Number(name)] : member;
      return (...values: unknown[]) => {
        const result: unknown = Reflect.apply(member, text, values);
        if (typeof result === 'string') work += result.length;
        if (name === 'indexOf') work += (result === -1 ? text.length : Number(result)) - Number(values[1]);
        return result;
      };
    },
  };
  return { text: new Proxy<string[]>([], handler) as unknown as string, work: () => work };
}

/** Parsing cost: accessed characters and tokens. */
function workOn(text: string): number {
  const characters = counted(text);
  const { tokens, problems } = lex(characters.text);
  let work = 0;
  const counting = new Proxy(tokens, {
    get(target, name) {
      work++;
      return Reflect.get(target, name);
    },
  });
  parseTokens(text, { tokens: counting, problems });
  return work + characters.work();
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
    for (const write of [
      inFilter,
      (text: string) => text,
      (text: string) => `{ source { A } return { ${text}`,
    ]) {
      const once = Math.ceil(2000 / part.length);
      const [half, whole] = [once, once * 2].map((count) => workOn(write(part.repeat(count)))) as [
        number,
        number,
      ];
      expect(whole).toBeLessThan(half * 2.2);
    }
  });

  test('is higher for a longer input, so that the tests above are not vacuous', () => {
    expect(workOn(inFilter('a and '.repeat(400)))).toBeGreaterThan(
      workOn(inFilter('a and '.repeat(200))) * 1.8,
    );
  });
});
