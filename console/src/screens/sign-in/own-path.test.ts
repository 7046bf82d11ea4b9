import { expect, test } from 'vitest';
import { ownPath } from './own-path.ts';

test.each(['/', '/local/alerts?from=-7d', '/local/alerts/17'])('%s is a path of this site', (path) => {
  expect(ownPath(path)).toBe(path);
});

test.each([
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '',
  undefined,
])('%s is not', (path) => {
  expect(ownPath(path)).toBeUndefined();
});
