import type { TelemetryDataset } from '../../dataset.ts';
import type { Pairing, PairSource, Source } from '../../datasource.ts';
import { memberAt, type QueryColumn } from '../../query-column.ts';
import { quoted } from '../engine/engine.ts';
import { identifier } from '../sql/sql.ts';
import { type Mistyped, readSql } from './column-sql.ts';

/** Names that no declared column uses. */
const kind = '"its kind"';
const following = '"kind of the next"';
const previous = '"kind of the previous"';
const order = '"its order"';
const agreement = (index: number) => identifier(`agreement ${index}`).sql;
const ofNext = (column: QueryColumn) => identifier(`${column.name} of the next`).sql;

/** The columns that pairing needs in addition. */
export function sidesSql(dataset: TelemetryDataset, pairs: Pairing, mistyped: Mistyped): string[] {
  const member = (path: string) =>
    readSql(dataset, { path, type: memberAt(dataset, path).type, cast: undefined }, mistyped);
  return [
    ...['t', 'e', 'seq', 'n'],
    `${member(pairs.by)} as ${kind}`,
    `${member(pairs.order)} as ${order}`,
    ...pairs.agreeOn.map((path, index) => `${member(path)} as ${agreement(index)}`),
  ];
}

/**
 * Pairs the records and returns the rows that satisfy the condition. In order, an opening record is closed by the
 * next one if that is a closing record; a closing record without an opening one before it is a row of its own.
 * Records with the same timestamp are ordered by arrival.
 */
export function pairedSql(
  { columns }: { readonly columns: readonly QueryColumn[] },
  { opening, closing, agreeOn }: Pairing,
  records: string,
  condition: string,
): string {
  const [opens, closes] = [quoted(opening), quoted(closing)];
  const sides = columns.filter(({ source }) => isSide(source));
  const shown = columns.map((column) => {
    const name = identifier(column.name).sql;
    if (!isSide(column.source)) return name;
    if (column.source.side === 'opening') return `case when ${kind} = ${opens} then ${name} end as ${name}`;
    return `case when ${kind} = ${closes} then ${name}
      when ${kind} = ${opens} and ${following} = ${closes} then ${ofNext(column)} end as ${name}`;
  });
  const agreeing = agreeOn.map((_, index) => `, ${agreement(index)}`).join('');
  return `select ${shown.length > 0 ? shown.join(', ') : 'true as "-"'} from (
    select *, lead(${kind}) over neighbours as ${following}, lag(${kind}) over neighbours as ${previous}
      ${sides.map((column) => `, lead(${identifier(column.name).sql}) over neighbours as ${ofNext(column)}`).join('')}
    from (${records})
    window neighbours as (partition by ${kind} in (${opens}, ${closes})${agreeing} order by ${order}, seq, n))
    where ${condition} and not coalesce(${kind} = ${closes} and ${previous} = ${opens}, false)`;
}

function isSide(source: Source): source is PairSource {
  return typeof source === 'object' && 'side' in source;
}
