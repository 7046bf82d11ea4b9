import { expect, test } from 'vitest';
import { withPlaces } from './complaint.ts';

test('each problem is shown with its line and a mark under its place', () => {
  const said =
    'Unable to translate due to: Line 1, column 3, at x: Wrong.\nWarning: line 2, column 3, at y: Odd.\nThere is 1 more problem.';
  expect(withPlaces(said, 'a x b\r\n数\ty!')).toBe(
    ['Line 1, column 3, at x: Wrong.', '  a x b', '    ^', 'Warning: line 2, column 3, at y: Odd.']
      .concat(['  数 y!', '     ^', 'There is 1 more problem.'])
      .join('\n'),
  );
});

test('of a long line only what is around the place is shown', () => {
  const [, line = '', mark = ''] = withPlaces(
    'Line 1, column 1001, at x: Wrong.',
    `${'a'.repeat(1_000)}x${'b'.repeat(99)}`,
  ).split('\n');
  expect(line).toBe(`  …${'a'.repeat(70)}x${'b'.repeat(39)}…`);
  expect(mark.indexOf('^')).toBe(line.indexOf('x'));
});

test('what has no place is said as it is', () => {
  expect(withPlaces('Line 9, column 1, at the end: Wrong.', 'x')).toBe(
    'Line 9, column 1, at the end: Wrong.',
  );
  expect(withPlaces('No.', 'x')).toBe('No.');
});
