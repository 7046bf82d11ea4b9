import { describe, expect, test } from 'vitest';
import { positionOf } from '../text/position.ts';
import { corpus } from './corpus.sample.ts';
import { parse } from './parser.ts';
import { print } from './printer.ts';
import { withFixes, withoutPositions } from './tree.sample.ts';

const errorsOf = (text: string) => parse(text).problems.filter(({ severity }) => severity === 'error');
const parseable = corpus.filter(({ fails }) => fails === undefined || fails === 'semantic');
const rejected = corpus.filter(({ fails }) => fails === 'syntax' || fails === 'lexical');

describe('the corpus', () => {
  test('keeps its size, with unique names', () => {
    const counts = ['vendor', 'community', 'sigma'].map(
      (name) => corpus.filter(({ file }) => file === `${name}.lql`).length,
    );
    expect(counts).toEqual([27, 39, 30]);
    expect(rejected.filter(({ file }) => file === 'community.lql')).toHaveLength(3);
    expect(rejected.filter(({ file }) => file !== 'community.lql' && file !== 'refused.lql')).toEqual([]);
    expect(new Set(corpus.map(({ id }) => id)).size).toBe(corpus.length);
  });

  test.each(parseable)('$id parses without error', ({ text }) => {
    expect(errorsOf(text)).toEqual([]);
    expect(parse(text).document).toBeDefined();
  });

  test.each(parseable)('$id is printed so that it parses to the same tree', ({ text }) => {
    const { document } = parse(text);
    const printed = print(document ?? expect.fail());
    expect(withoutPositions(parse(printed).document)).toEqual(withoutPositions(document));
    expect(print(parse(printed).document ?? expect.fail())).toBe(printed);
  });

  test.each(rejected)('$id is rejected once, at the right position', ({ text, fails, at, says, fixed }) => {
    const [error, ...more] = errorsOf(text);
    const { line, column } = positionOf(text, error?.start ?? 0);
    expect({ stage: error?.stage, at: `${line}:${column}` }).toEqual({ stage: fails, at });
    expect(error?.message).toContain(says);
    expect(more).toEqual([]);
    expect(error?.fix !== undefined).toBe(fixed);
  });

  test.each(rejected.filter(({ fixed }) => fixed))('$id parses after its fixes', ({ text }) => {
    let fixed = text;
    for (let round = 0; round < 3; round++) fixed = withFixes(fixed, errorsOf(fixed));
    expect(errorsOf(fixed)).toEqual([]);
  });
});
