import { expect } from 'vitest';
import { analyse } from '../analyse.ts';
import { sampleCatalogue } from '../catalogue/catalogue.sample.ts';
import type { Fix } from '../text/problem.ts';
import { report } from '../text/report.ts';

export const reported = (text: string) => report(text, analyse(text, sampleCatalogue).problems);
export const mended = (text: string, { start, end, text: instead }: Fix) =>
  text.slice(0, start) + instead + text.slice(end);

/** Where a fix is offered, it makes an end of the complaint. */
export function expectMends(text: string): void {
  for (const { fix, message, start } of analyse(text, sampleCatalogue).problems) {
    const left = fix ? analyse(mended(text, fix), sampleCatalogue).problems : [];
    expect(left.filter((problem) => problem.message === message && problem.start === start)).toEqual([]);
  }
}

export function expectReport(text: string, expected: string): void {
  const { query, problems } = analyse(text, sampleCatalogue);
  expect(report(text, problems)).toBe(expected);
  expect(query === undefined).toBe(problems.some(({ severity }) => severity === 'error'));
  expectMends(text);
}

/** A query whose condition begins at line 2, column 10. */
export const events = (condition: string) =>
  `{ source { CloudTrailRawEvents }\nfilter { ${condition} }\nreturn { INSERT_ID } }`;
