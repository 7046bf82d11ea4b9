import type { Recommendation, ReportControl } from '../report.ts';
import { counted, countText, severityName, shortened, statusNames } from '../wording.ts';
import type { Block, Cell, Column, Fact, Mark } from './block.ts';
import { findingTables } from './finding-tables.ts';
import { type FindingTotals, type PrintLimit, totalsOf } from './print-limit.ts';
import { remediationBlocks } from './remediation.ts';

const columns: readonly Column[] = [
  { title: 'Recommendation', share: 0.46, kind: 'text' },
  { title: 'Status', share: 0.18, kind: 'text' },
  { title: 'Severity', share: 0.12, kind: 'text' },
  { title: 'Violations', share: 0.1, kind: 'number' },
  { title: 'Shown in', share: 0.14, kind: 'text' },
];

/** Recommendations by control, each in full where it occurs first. */
export class RecommendationBlocks {
  readonly #limit: PrintLimit;
  /** By id: the control, and the id of the heading. */
  readonly #shown = new Map<string, { readonly control: string; readonly target: string }>();

  constructor(limit: PrintLimit) {
    this.#limit = limit;
  }

  *ofControl({ id, recommendations }: ReportControl, anchor: string): Generator<Block> {
    const first = recommendations.filter((one) => !this.#shown.has(one.id));
    const repeated = recommendations.filter((one) => this.#shown.has(one.id));
    const [only] = recommendations.length === 1 ? first : [];
    const heading = only ? `${id} ${shortened(only.title, 300)}` : `Control ${id}`;
    yield { kind: 'heading', level: 3, text: heading, id: anchor };
    if (recommendations.length === 0)
      yield { kind: 'paragraph', text: 'No recommendation assesses this control.', isNote: false };
    if (recommendations.length > 1)
      yield {
        kind: 'paragraph',
        text: `${counted(recommendations.length, 'recommendation')}.`,
        isNote: true,
      };
    for (const [index, recommendation] of first.entries()) {
      const target = only ? anchor : `${anchor}-${index + 1}`;
      this.#shown.set(recommendation.id, { control: id, target });
      if (!only) yield { kind: 'heading', level: 4, text: shortened(recommendation.title, 300), id: target };
      yield* this.#details(recommendation);
    }
    if (repeated.length > 0)
      yield {
        ...{ kind: 'table', caption: 'Shown with an earlier control', columns },
        rows: repeated.map((one) => this.#reference(one)),
      };
  }

  *#details(recommendation: Recommendation): Generator<Block> {
    const { description, reason, status, remediation, infoLink } = recommendation;
    yield { kind: 'facts', facts: factsOf(recommendation, this.#totals(recommendation)) };
    if (reason) yield { kind: 'paragraph', text: shortened(reason), isNote: false };
    if (description) yield { kind: 'paragraph', text: shortened(description, 4_000), isNote: false };
    yield* findingTables(recommendation, this.#limit);
    if (remediation && (status === 'NonCompliant' || status === 'RequiresManualAssessment'))
      yield* remediationBlocks(remediation);
    if (infoLink)
      yield { kind: 'paragraph', text: `Further information: ${shortened(infoLink)}`, isNote: true };
  }

  #totals(recommendation: Recommendation): FindingTotals {
    return this.#limit.totals.get(recommendation.id) ?? totalsOf(recommendation);
  }

  #reference(one: Recommendation): Cell[] {
    const shown = this.#shown.get(one.id);
    return [
      { text: shortened(one.title, 300), ...(shown && { target: shown.target }) },
      { text: statusNames[one.status], mark: { of: 'status', value: one.status } },
      { text: severityName(one.severity), mark: { of: 'severity', value: one.severity } },
      { text: countText(this.#totals(one).violations) },
      { text: shown?.control ?? '' },
    ];
  }
}

function factsOf(one: Recommendation, { violations, exceptions, gaps }: FindingTotals): Fact[] {
  const { status, severity, assessed, service, id } = one;
  const marked = (term: string, value: string, mark: Mark): Fact => ({ term, value, mark });
  const some = (term: string, count: number) => (count > 0 ? [{ term, value: countText(count) }] : []);
  return [
    marked('Status', statusNames[status], { of: 'status', value: status }),
    marked('Severity', severityName(severity), { of: 'severity', value: severity }),
    { term: 'Assessed', value: counted(assessed, 'resource') },
    ...some('Violations', violations),
    ...some('Exceptions', exceptions),
    ...some('Not read', gaps),
    { term: 'Service', value: shortened(service, 100) },
    ...(one.remediation === undefined ? [] : [{ term: 'Policy', value: shortened(id, 100) }]),
  ];
}
