import { describe, expect, test } from 'vitest';
import { report } from '../text/report.ts';
import { anyInput } from './fuzz.sample.ts';
import { parse } from './parser.ts';
import { print } from './printer.ts';
import { withoutPositions } from './tree.sample.ts';

const runs = Number(process.env.VEDETTE_FUZZ ?? 10_000);

/** Violated invariants of a parse result. */
function violationOf(text: string): string | undefined {
  const { document, problems } = parse(text);
  if (!document && !problems.some(({ severity }) => severity === 'error')) return 'no tree, and no error';
  for (const { start, end, message, fix } of problems) {
    if (!(start >= 0 && start <= end && end <= text.length)) return `${message} at ${start} to ${end}`;
    if (fix && !(fix.start >= 0 && fix.start <= fix.end && fix.end <= text.length))
      return `a fix of ${message}`;
  }
  if (report(text, problems).includes('undefined')) return 'an incomplete message';
  if (!document) return undefined;
  const reparsed = parse(print(document)).document;
  return JSON.stringify(withoutPositions(reparsed)) === JSON.stringify(withoutPositions(document))
    ? undefined
    : 'the printed query parses to another tree';
}

describe('the parser', () => {
  test('handles any input', { timeout: 120_000 + runs * 2 }, () => {
    let trees = 0;
    for (let seed = 0; seed < runs; seed++) {
      const text = anyInput(seed);
      const violation = violationOf(text);
      if (violation) expect.fail(`seed ${seed}: ${violation}\n${text}`);
      if (parse(text).document) trees++;
    }
    // Mutations are small enough that some inputs stay valid.
    expect(trees).toBeGreaterThan(runs / 50);
  });
});
