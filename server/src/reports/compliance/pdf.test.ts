import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inflateSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import type { WrittenDocument } from './document-request.ts';
import { ReportDocuments } from './documents.ts';
import { printLimit } from './outline/print-limit.ts';
import { writePdf } from './pdf/pdf-document.ts';
import { ReadPdf, type Tag, walk } from './pdf.sample.ts';
import { sampleReport } from './report.sample.ts';
import type { ComplianceReport } from './report.ts';
import { countText } from './wording.ts';

const directory = mkdtempSync(join(tmpdir(), 'vedette-pdf-'));
const pdfs = new ReportDocuments();
afterAll(async () => {
  await pdfs.close();
  rmSync(directory, { recursive: true });
});
let files = 0;

async function written(report: ComplianceReport) {
  const file = join(directory, `${files++}.pdf`);
  const { pages, bytes } = (await pdfs.write(
    'account',
    { report },
    { format: 'pdf', file },
  )) as WrittenDocument;
  const content = readFileSync(file);
  expect(content.length).toBe(bytes);
  const pdf = await ReadPdf.open(content);
  expect(pdf.pages).toBe(pages);
  return { pdf, content, raw: content.toString('latin1') };
}

async function allTags(pdf: ReadPdf): Promise<Tag[]> {
  const tags: Tag[] = [];
  for (let page = 1; page <= pdf.pages; page++)
    for (const root of await pdf.tags(page)) tags.push(...walk(root));
  return tags;
}

/** What can be inflated of the streams of a document. */
function contentStreams(bytes: Buffer): string[] {
  const contents: string[] = [];
  for (let start = bytes.indexOf('stream\n'); start >= 0; start = bytes.indexOf('\nstream\n', start)) {
    const from = start + (bytes[start] === 10 ? 8 : 7);
    const end = bytes.indexOf('\nendstream', from);
    try {
      contents.push(inflateSync(bytes.subarray(from, end)).toString('latin1'));
    } catch {
      // The metadata are not compressed.
    }
    start = end;
  }
  return contents;
}

const sample = await written(sampleReport());

describe('a report as PDF', () => {
  test('is tagged: sections, headings, tables, lists and a figure with its alternative', async () => {
    const tags = await allTags(sample.pdf);
    const roles = new Set(tags.map(({ role }) => role));
    for (const role of 'Document Sect H1 H2 H3 H4 P Table Caption TR TH TD L LI Lbl LBody Code Figure'.split(
      ' ',
    ))
      expect(roles).toContain(role);
    const [figure] = tags.filter(({ role }) => role === 'Figure');
    expect(figure?.alt).toContain('Line chart of the score in 9 evaluations');
    expect(sample.raw).toMatch(/\/Scope \/Column/);
    expect(sample.raw).toMatch(/\/Scope \/Row/);
  });

  test('has rows, cells, items and labels only where they belong', async () => {
    const parents: Readonly<Record<string, readonly string[]>> = {
      TR: ['Table'],
      TH: ['TR'],
      TD: ['TR'],
      Caption: ['Table'],
      LI: ['L'],
      Lbl: ['LI'],
      LBody: ['LI'],
      Code: ['P'],
      Sect: ['Document', 'Sect'],
    };
    for (const { role, children } of await allTags(sample.pdf))
      for (const child of children) expect(parents[child.role] ?? [role]).toContain(role);
  });

  test('has all its content either in the structure or as an artifact', () => {
    const pages = contentStreams(sample.content).filter((content) => content.includes(' BDC'));
    expect(pages).toHaveLength(sample.pdf.pages);
    for (const content of pages) {
      let depth = 0;
      const outside: string[] = [];
      for (const line of content.split('\n')) {
        if (/ (?:BDC|BMC)$/.test(line)) depth++;
        if (line === 'EMC') depth--;
        if (depth === 0 && /^BT |TJ|\bDo\b|^(?:f|F|f\*|S|s|B)$/.test(line)) outside.push(line);
      }
      expect([depth, outside]).toEqual([0, []]);
    }
  });

  test('names its language, title, standard, fonts and bookmarks', async () => {
    const { pdf, raw } = sample;
    expect(raw).toContain('/Lang (en)');
    expect(raw).toContain('/DisplayDocTitle true');
    expect(raw).toContain('<pdfuaid:part>1</pdfuaid:part>');
    expect(raw).toContain('/Marked true');
    expect(await pdf.title()).toBe(
      'CIS Amazon Web Services Foundations Benchmark v1.4.0 - AWS account amberwood-production (123456789012)',
    );
    expect(await pdf.outline()).toEqual([
      'CIS Amazon Web Services Foundations Benchmark v1.4.0',
      ...['Summary by section', 'Trend', '1 Identity and access', '2 Storage', '3 Logging', '4 Monitoring'],
      ...['5 Networking', 'How to read this report'],
    ]);
    expect(raw.match(/\/Type \/FontDescriptor/g)).toHaveLength(3);
    expect(raw.match(/\/FontFile2 /g)).toHaveLength(3);
    expect(raw.match(/\/Type \/Font\n/g)).toHaveLength(6);
    expect(raw.match(/\/ToUnicode /g)).toHaveLength(3);
  });

  test('numbers its pages', async () => {
    for (const [index, page] of (await sample.pdf.text()).entries())
      expect(page).toMatch(new RegExp(`\\b${index + 1}\\s*of ${sample.pdf.pages}\\b`));
  });

  test('has the same bytes each time', async () => {
    expect((await written(sampleReport())).content.equals(sample.content)).toBe(true);
    const other = await written(sampleReport({ findings: 39 }));
    expect(other.content.equals(sample.content)).toBe(false);
  });

  test('shows names of any script, and a replacement for characters without a glyph', async () => {
    const { pdf, raw } = await written(sampleReport({ isHostile: true, findings: 200 }));
    const text = (await pdf.text()).join('\n');
    for (const name of ['<script>alert(1)</script>', 'Ελληνικά, кириллица, Ærøskøbing, Łódź', 'escape'])
      expect(text).toContain(name);
    expect(raw).toContain('<rdf:li xml:lang="x-default">CIS Amazon');
    expect(raw).toContain('&lt;img src=x onerror=alert(1)&gt;');
    // pdf.js reads what is drawn.
    expect(text).toContain('emoji □□ and □□□□□□□□□');
    expect(text).toContain('nul□ bell□ escape□[31m');
  });

  test('wraps names without a place to break, and rows that are longer than a page', async () => {
    const report = sampleReport({ isHostile: true, findings: 60 });
    const [first, ...rest] = report.sections;
    const long = { resource: 'y'.repeat(900), region: 'z'.repeat(99), reason: 'w '.repeat(490), since: 0 };
    const sections = [
      {
        ...(first as (typeof report.sections)[number]),
        controls: (first?.controls ?? []).map((control) => ({
          ...control,
          recommendations: control.recommendations.map((one) => ({
            ...one,
            description: 'v'.repeat(3_999),
            violations: one.violations.map((violation) => ({ ...violation, ...long })),
          })),
        })),
      },
      ...rest,
    ];
    const { pdf } = await written({ ...report, sections });
    for (let page = 1; page <= pdf.pages; page++)
      for (const { text, left, right } of await pdf.placedText(page)) {
        if (text === ' ') continue;
        expect(left).toBeGreaterThan(47);
        expect(right).toBeLessThan(595.28 - 47);
      }
  });

  test('lists some of more than ten thousand findings, says how many are left out, and keeps the totals', async () => {
    const report = sampleReport({ findings: 30_000, sections: 6, controlsPerSection: 6 });
    const { pdf } = await written(report);
    expect(pdf.pages).toBeLessThan(60);
    const text = (await pdf.text()).join('\n').replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/This report has 30,\d{3} findings\. At most 25 of each kind are listed/);
    const count = report.sections[0]?.controls[0]?.recommendations[0]?.violations.length ?? 0;
    expect(count).toBeGreaterThan(1_000);
    expect(text).toContain(
      `${countText(count - 25)} of ${countText(count)} are not listed here; the CSV report lists all.`,
    );
    expect(text).toContain(`Violations ${countText(count)}`);
  });

  test('of a framework without sections is a document, too', async () => {
    const { pdf } = await written(sampleReport({ findings: 0, sections: 0, trend: 0 }));
    expect(pdf.pages).toBe(2);
    expect((await pdf.text()).join('\n')).toContain('There is no earlier evaluation');
  });
});

describe('writing', () => {
  test('leaves no file behind when it is abandoned', async () => {
    const file = join(directory, 'abandoned.pdf');
    const abort = new AbortController();
    const writing = pdfs.write(
      'account',
      { report: sampleReport({ findings: 9_000 }) },
      { format: 'pdf', file },
      abort.signal,
    );
    await expect.poll(() => existsSync(file) && statSync(file).size > 0).toBe(true);
    abort.abort(new Error('The client left.'));
    await expect(writing).rejects.toThrow('The client left.');
    expect(existsSync(file)).toBe(false);
    const after = join(directory, 'after.pdf');
    expect(
      (await pdfs.write('account', { report: sampleReport() }, { format: 'pdf', file: after }))?.pages,
    ).toBe(sample.pdf.pages);
  });

  test.each(['pdf', 'csv'] as const)(
    'leaves no file behind when it is abandoned before a %s is opened',
    async (format) => {
      // A running thread: a new one would be terminated before it opens anything.
      const first = join(directory, `first.${format}`);
      await pdfs.write('account', { report: sampleReport() }, { format, file: first });
      while (pdfs.queue.running > 0) await nextTurn();
      const file = join(directory, `abandoned-early.${format}`);
      const abort = new AbortController();
      const source = { report: sampleReport({ findings: 9_000 }) };
      const writing = pdfs.write('account', source, { format, file }, abort.signal);
      while (pdfs.queue.running === 0) await nextTurn();
      abort.abort(new Error('The client left.'));
      await expect(writing).rejects.toThrow('The client left.');
      await expect.poll(() => pdfs.queue.running).toBe(0);
      expect(existsSync(file)).toBe(false);
    },
  );

  test('stops drawing when the disk is full', async () => {
    const report = sampleReport({ findings: 9_000 });
    const output = createWriteStream('/dev/full', { flags: 'r+' });
    await expect(writePdf(report, printLimit(report), output)).rejects.toThrow('ENOSPC');
  });

  test('stops writing when drawing fails', async () => {
    const report = sampleReport();
    const file = join(directory, 'undrawn.pdf');
    const broken = { ...report, sections: [undefined] } as unknown as ComplianceReport;
    await expect(writePdf(broken, printLimit(report), createWriteStream(file))).rejects.toThrow('undefined');
  });

  test('does not replace or remove a file', async () => {
    const file = join(directory, 'taken.pdf');
    await pdfs.write('account', { report: sampleReport() }, { format: 'pdf', file });
    const before = readFileSync(file);
    await expect(pdfs.write('account', { report: sampleReport() }, { format: 'pdf', file })).rejects.toThrow(
      'EEXIST',
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});
