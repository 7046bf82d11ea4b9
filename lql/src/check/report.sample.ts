import { expect } from 'vitest';
import { analyse } from '../analyse.ts';
import { sampleCatalogue } from '../catalogue/catalogue.sample.ts';
import type { Fix } from '../text/problem.ts';
import { report } from '../text/report.ts';

export const reported = (text: string) => report(text, analyse(text, sampleCatalogue).problems);
export const withFix = (text: string, { start, end, text: replacement }: Fix) =>
  text.slice(0, start) + replacement + text.slice(end);

/** Every fix resolves its problem. */
export function expectFixesWork(text: string): void {
  for (const { fix, message, start } of analyse(text, sampleCatalogue).problems) {
    const remaining = fix ? analyse(withFix(text, fix), sampleCatalogue).problems : [];
    expect(remaining.filter((problem) => problem.message === message && problem.start === start)).toEqual([]);
  }
}

export function expectReport(text: string, expected: string): void {
  const { query, problems } = analyse(text, sampleCatalogue);
  expect(report(text, problems)).toBe(expected);
  expect(query === undefined).toBe(problems.some(({ severity }) => severity === 'error'));
  expectFixesWork(text);
}

/** A query whose condition begins at line 2, column 10. */
export const events = (condition: string) =>
  `{ source { CloudTrailRawEvents }\nfilter { ${condition} }\nreturn { INSERT_ID } }`;
