import type { Recommendation } from '../report.ts';
import { countText, dayText, shortened } from '../wording.ts';
import type { Block, Cell, Column } from './block.ts';
import { csvText, type PrintLimit, totalsOf } from './print-limit.ts';

const resource: Column = { title: 'Resource', share: 0.42, kind: 'code' };
const region: Column = { title: 'Region', share: 0.14, kind: 'text' };
const violationColumns: readonly Column[] = [
  ...[resource, region],
  { title: 'Reason', share: 0.31, kind: 'text' },
  { title: 'Since', share: 0.13, kind: 'text' },
];
const exceptionColumns: readonly Column[] = [
  { ...resource, share: 0.3 },
  { ...region, share: 0.12 },
  { title: 'Reason given', share: 0.27, kind: 'text' },
  { title: 'Granted by', share: 0.18, kind: 'text' },
  { title: 'Until', share: 0.13, kind: 'text' },
];
const gapColumns: readonly Column[] = [resource, region, { title: 'Why', share: 0.44, kind: 'text' }];

/** Violations, exceptions and what could not be read, as far as the limit allows. */
export function* findingTables(
  recommendation: Recommendation,
  { rows, totals }: PrintLimit,
): Generator<Block> {
  const { violations, exceptions, gaps } = recommendation;
  const total = totals.get(recommendation.id) ?? totalsOf(recommendation);
  yield* limited(
    'Violations',
    violationColumns,
    { all: violations, rows, total: total.violations },
    (one) => [...placeOf(one), { text: shortened(one.reason) }, { text: dayText(one.since) }],
  );
  yield* limited(
    'Exceptions',
    exceptionColumns,
    { all: exceptions, rows, total: total.exceptions },
    (one) => [
      ...placeOf(one),
      { text: shortened(`${one.description} (${one.exceptionId})`) },
      { text: shortened(one.grantedBy) },
      { text: one.until === undefined ? 'No end' : dayText(one.until) },
    ],
  );
  yield* limited('Could not be read', gapColumns, { all: gaps, rows, total: total.gaps }, (one) => [
    ...placeOf(one),
    { text: shortened(one.reason) },
  ]);
}

interface Findings<Finding> {
  /** All that the report lists in any format. */
  readonly all: readonly Finding[];
  /** Largest number of rows. */
  readonly rows: number;
  readonly total: number;
}

function* limited<Finding>(
  caption: string,
  columns: readonly Column[],
  { all, rows, total }: Findings<Finding>,
  cells: (finding: Finding) => Cell[],
): Generator<Block> {
  const listed = all.slice(0, rows);
  if (listed.length > 0) yield { kind: 'table', caption, columns, rows: mapped(listed, cells) };
  if (total <= listed.length) return;
  const left = `${countText(total - listed.length)} of ${countText(total)} are not listed here`;
  yield { kind: 'paragraph', isNote: true, text: `${caption}: ${left}; ${csvText(all.length, total)}.` };
}

/** Iterable many times, and without an array of all cells. */
function mapped<From, To>(from: readonly From[], to: (one: From) => To): Iterable<To> {
  return {
    *[Symbol.iterator]() {
      for (const one of from) yield to(one);
    },
  };
}

function placeOf({ resource, region }: { resource: string; region: string }): Cell[] {
  return [{ text: shortened(resource) }, { text: region ? shortened(region, 100) : 'Global' }];
}
