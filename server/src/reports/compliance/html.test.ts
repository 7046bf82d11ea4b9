import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { cssString } from './html/escape.ts';
import { htmlReport } from './html.ts';
import { hostileNames, sampleReport } from './report.sample.ts';
import type { ComplianceReport } from './report.ts';

const htmlOf = (report: ComplianceReport) => [...htmlReport(report)].join('');

const elements = new Set(
  (
    'html head meta title style body a header h1 h2 h3 h4 dl dt dd div nav ul ol li main section p strong span table ' +
    'caption colgroup col thead tbody tr th td pre code figure svg circle line polyline polygon text footer'
  ).split(' '),
);

test('a page has landmarks, a language, one title, and headings without gaps', () => {
  const html = htmlOf(sampleReport());
  expect(html).toMatch(/^<!DOCTYPE html>\n<html lang="en">/);
  for (const landmark of ['header', 'nav', 'main', 'footer'])
    expect(html.match(new RegExp(`<${landmark}[ >]`, 'g'))).toHaveLength(1);
  const levels = [...html.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThan(2);
});

test('every link has its target, every table a caption and scopes, every element its end', () => {
  const html = htmlOf(sampleReport());
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  expect(html.match(/<caption>/g)?.length).toBe(html.match(/<table/g)?.length);
  expect(html).not.toMatch(/<th(?! scope="(?:col|row)")[ >]/);
  for (const name of ['section', 'table', 'tr', 'td', 'th', 'p', 'dl', 'svg', 'a'])
    expect(html.match(new RegExp(`<${name}[ >]`, 'g'))?.length).toBe(
      html.match(new RegExp(`</${name}>`, 'g'))?.length,
    );
});

test('the page needs nothing from elsewhere, and its policy allows its own style only', () => {
  const html = htmlOf(sampleReport({ isHostile: true }));
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(html).toContain(
    `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
  );
  const tags = html.match(/<[a-z][^<>]*>/g) ?? [];
  const attributes = new Set(
    tags.flatMap((tag) => [...tag.matchAll(/ ([a-z-]+)=/gi)].map(([, name]) => name)),
  );
  expect([...attributes].filter((name) => /^(?:src|style|on.*)$/.test(name as string))).toEqual([]);
  expect(style).not.toMatch(/url\(|@import|</);
});

test('names from the cloud are text, wherever they are', () => {
  const report = sampleReport({ isHostile: true, findings: 300 });
  for (const name of hostileNames) {
    const { subject } = report;
    const hostile = {
      ...{ ...report, title: name, subject: { ...subject, id: name, parent: { id: name, name } } },
      sections: report.sections.map((section) => ({ ...section, id: name, title: name })),
    };
    const html = htmlOf(hostile);
    const tags = [...html.matchAll(/<\/?([a-zA-Z][\w-]*)/g)].map(([, tag]) => tag as string);
    expect(tags.filter((tag) => !elements.has(tag))).toEqual([]);
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html.match(/<\/style>/g)).toHaveLength(1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left.
    expect(html).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
    expect(html.isWellFormed()).toBe(true);
  }
});

test('a string of CSS can not be left', () => {
  expect(cssString('a"b\\c\n</style>;}')).toBe(
    '"a\\22 b\\5c c\n\\3c /style\\3e \\3b \\7d "'.replace('\n', '\\a '),
  );
  expect(cssString('Łódź')).toBe('"\\141 \\f3 d\\17a "');
});
