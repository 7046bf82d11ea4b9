import { createHash } from 'node:crypto';
import { blockHtml } from './html/blocks.ts';
import { escaped } from './html/escape.ts';
import { styleOf } from './html/style.ts';
import { outlineOf } from './outline/outline.ts';
import { sectionId } from './outline/summary.ts';
import type { ComplianceReport } from './report.ts';
import { shortened, subjectText, timeText } from './wording.ts';

/** The report as one self-contained page without scripts, in chunks. */
export function* htmlReport(report: ComplianceReport): Generator<string> {
  const title = shortened(report.title, 200);
  const subject = shortened(subjectText(report.subject), 200);
  const style = styleOf({ title, subject, time: `Evaluated ${timeText(report.evaluatedAt)}` });
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  yield `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n` +
    `<meta http-equiv="Content-Security-Policy" content="${policy}">\n` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">\n` +
    `<title>${escaped(`${title} - ${subject}`)}</title>\n<style>${style}</style>\n</head>\n<body>\n` +
    `<a class="skip" href="#contents">Skip to the contents</a>\n<header>\n`;
  /** Levels of the open sections. */
  const open: number[] = [];
  for (const block of outlineOf(report)) {
    if (block.kind !== 'heading') {
      yield* blockHtml(block);
      if (block.kind === 'title') yield `</header>\n${contents(report)}<main id="contents">\n`;
      continue;
    }
    while ((open.at(-1) ?? 0) >= block.level) {
      open.pop();
      yield '</section>\n';
    }
    open.push(block.level);
    const id = escaped(block.id);
    yield `<section aria-labelledby="${id}">\n<h${block.level} id="${id}">${escaped(block.text)}</h${block.level}>\n`;
  }
  yield `${open.map(() => '</section>\n').join('')}</main>\n`;
  yield `<footer><p>${escaped(`${title}. ${subject}. Evaluated ${timeText(report.evaluatedAt)}.`)}</p></footer>\n`;
  yield '</body>\n</html>\n';
}

function contents({ sections }: ComplianceReport): string {
  const links: [id: string, text: string][] = [
    ['summary', 'Summary by section'],
    ['trend', 'Trend'],
    ...sections.map(({ id, title }, index): [string, string] => [sectionId(index), `${id} ${title}`]),
    ['reading', 'How to read this report'],
  ];
  const items = links.map(([id, text]) => `<li><a href="#${escaped(id)}">${escaped(text)}</a></li>`);
  return `<nav aria-label="Contents"><ul>${items.join('')}</ul></nav>\n`;
}
