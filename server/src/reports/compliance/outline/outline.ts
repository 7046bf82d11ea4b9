import type { ComplianceReport, ReportControl, ReportSection } from '../report.ts';
import { counted, statusNames } from '../wording.ts';
import { appendix } from './appendix.ts';
import type { Block } from './block.ts';
import { cover } from './cover.ts';
import { printLimit } from './print-limit.ts';
import { RecommendationBlocks } from './recommendation-blocks.ts';
import { sectionId, summaryBySection } from './summary.ts';
import { trendBlocks } from './trend.ts';

/**
 * The contents of the documents that people read. HTML and PDF are made of the same blocks, so they can not disagree.
 * A recommendation that several controls need is shown in full once.
 */
export function* outlineOf(report: ComplianceReport, limit = printLimit(report)): Generator<Block> {
  const recommendations = new RecommendationBlocks(limit);
  yield* cover(report, limit);
  yield* summaryBySection(report);
  yield* trendBlocks(report);
  for (const [index, section] of report.sections.entries())
    yield* sectionBlocks(section, sectionId(index), recommendations);
  yield* appendix(limit);
}

function* sectionBlocks(
  section: ReportSection,
  id: string,
  recommendations: RecommendationBlocks,
): Generator<Block> {
  yield { kind: 'heading', level: 2, text: `${section.id} ${section.title}`, id };
  yield { kind: 'paragraph', text: sectionText(section), isNote: true };
  for (const [index, control] of section.controls.entries())
    yield* recommendations.ofControl(control, `${id}-${index + 1}`);
}

function sectionText({ controls }: ReportSection): string {
  const distinct = new Map(
    controls.flatMap((control: ReportControl) =>
      control.recommendations.map((one) => [one.id, one] as const),
    ),
  );
  const totals = new Map<string, number>();
  for (const { status } of distinct.values()) totals.set(status, (totals.get(status) ?? 0) + 1);
  const parts = Object.entries(statusNames).flatMap(([status, name]) => {
    const total = totals.get(status);
    return total ? [`${total} ${name.toLowerCase()}`] : [];
  });
  const all = `${counted(controls.length, 'control')}, ${counted(distinct.size, 'recommendation')}`;
  return parts.length > 0 ? `${all}: ${parts.join(', ')}.` : `${all}.`;
}
