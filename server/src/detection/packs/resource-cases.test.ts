import { describe, expect, test } from 'vitest';
import { resourceCaseBook } from '../../testing/resource-cases.ts';

const book = await resourceCaseBook();

describe('policies over configuration', () => {
  test('have compliant and non-compliant resources in their cases, and resources with missing members', () => {
    const incomplete = book.filter(({ cases }) => {
      const passes = cases.some(({ compliant }) => compliant !== 'none');
      const fails = cases.some(({ nonCompliant }) => nonCompliant !== 'none');
      return !passes || !fails || !cases.some(({ isOdd }) => isOdd);
    });
    expect(incomplete.map(({ policy }) => policy.folder)).toEqual([]);
  });

  test('have remediation texts of their own', () => {
    const seen = new Map<string, string>();
    const repeated = book.flatMap(({ policy: { folder, steps } }) => {
      const family = folder.split('/').slice(0, 2).join('/');
      return Object.values(steps ?? {}).flatMap((text) => {
        const earlier = seen.get(text);
        seen.set(text, folder);
        return earlier !== undefined && !earlier.startsWith(`${family}/`) ? [`${folder}: ${text}`] : [];
      });
    });
    expect(repeated).toEqual([]);
  });
});

test('the cases of every cloud run', () => {
  const clouds = new Set(book.map(({ policy }) => policy.folder.split('/')[0]));
  expect([...clouds].sort()).toEqual(['aws', 'azure', 'gcp', 'k8s']);
});
